import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, person } from "#tests/support/factories.ts";
import { importProgrammes, programmeRowOf, programmesFile } from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readEntries } from "../entries.ts";
import { programme } from "../tables.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const freshSource = () => `feed ${randomUUID().slice(0, 8)}`;
const entriesOf = async (source: string) =>
  (
    await readEntries(
      w.services.database.db,
      and(eq(programme.source, source), isNull(programme.removedAt)) ?? eq(programme.source, source),
    )
  )
    .map(({ entry }) => entry)
    .toSorted((one, other) => ((one.sourceId ?? "") < (other.sourceId ?? "") ? -1 : 1));
const many = (count: number, changes: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) => programmeRowOf(String(at).padStart(5, "0"), changes));

test("an undo restores changed programmes, removes added ones, and keeps those that were changed since", async () => {
  const source = freshSource();
  const college = { name: `College ${source}`, country: "GB" };
  await importProgrammes(admin.caller, programmesFile(source, many(3)));
  const before = await entriesOf(source);
  const next = [
    programmeRowOf("00000", { title: "Renamed", institution: college }),
    programmeRowOf("00001", { title: "Renamed midwifery" }),
    programmeRowOf("00002"),
    programmeRowOf("00003"),
  ];
  await importProgrammes(admin.caller, programmesFile(source, next));
  const { programmes } = await admin.caller.api.catalogue.list({ search: "renamed midwifery" });
  const edited = programmes.find((each) => each.source === source);
  if (!edited) throw new Error("the programme is not listed");
  const form = await admin.caller.api.catalogue.read({ id: edited.id });
  await admin.caller.api.catalogue.save({
    id: edited.id,
    version: form.version,
    institutionId: form.institution.id,
    entry: { ...form.entry, award: "MA" },
  });
  const { imports } = await admin.caller.api.catalogue.imports();
  const [latest, first] = imports.filter((each) => each.source === source);
  if (!latest || !first) throw new Error("the imports are not listed");
  await expect(admin.caller.api.catalogue.undoImport({ id: first.id })).rejects.toMatchObject({
    code: "failed-precondition",
  });
  const undone = await admin.caller.api.catalogue.undoImport({ id: latest.id });
  expect(undone).toEqual({
    restored: 1,
    removed: 1,
    leftCount: 1,
    left: [{ id: edited.id, title: "Renamed midwifery", why: "Somebody has changed it since." }],
  });
  const after = await entriesOf(source);
  expect(after.map(({ title, award }) => [title, award])).toEqual([
    ["MSc Nursing 00000", "MSc"],
    ["Renamed midwifery", "MA"],
    ["MSc Nursing 00002", "MSc"],
  ]);
  expect(after[0]).toEqual(before[0]);
  const { institutions } = await admin.caller.api.catalogue.institutions({ search: college.name });
  expect(institutions.map(({ programmes: count }) => count)).toEqual([0]);
  await expect(admin.caller.api.catalogue.undoImport({ id: latest.id })).rejects.toMatchObject({
    code: "failed-precondition",
  });
  // Importing the file again brings the removed programme back under its old id.
  const repeated = await importProgrammes(admin.caller, programmesFile(source, next));
  expect(repeated.counts).toEqual({ new: 0, changed: 3, unchanged: 1, refused: 0 });
  expect(await entriesOf(source)).toHaveLength(4);
});

test("an undo restores who had checked a programme, unless the account no longer exists", async () => {
  const source = freshSource();
  const { db } = w.services.database;
  await importProgrammes(admin.caller, programmesFile(source, many(2, { checkedOn: "2026-01-02" })));
  const rows = db.select().from(programme).where(eq(programme.source, source)).orderBy(programme.sourceId);
  const checkers = async () => (await rows).map(({ checkedBy }) => checkedBy);
  for (const [at, { id }] of (await rows).entries())
    await db
      .update(programme)
      .set({ checkedBy: [admin.id, "nobody"][at] })
      .where(eq(programme.id, id));
  await importProgrammes(
    admin.caller,
    programmesFile(source, many(2, { checkedOn: "2026-02-03", months: 18 })),
  );
  expect(await checkers()).toEqual([null, null]);
  const { imports } = await admin.caller.api.catalogue.imports();
  const id = imports.find((each) => each.source === source)?.id ?? "";
  expect(await admin.caller.api.catalogue.undoImport({ id })).toMatchObject({ restored: 2 });
  expect(await checkers()).toEqual([admin.id, null]);
});

const latestOf = async (source: string): Promise<string> => {
  const { imports } = await admin.caller.api.catalogue.imports();
  return imports.find((each) => each.source === source)?.id ?? "";
};

test("an undo skips what it can't restore, says why, and restores the rest", async () => {
  const source = freshSource();
  const groups = ["renamed", "removed"].map((name) => `${name} ${source}`);
  const [renamed, removed] = await Promise.all(
    groups.map((name) => admin.caller.api.catalogue.saveGroup({ name, countries: ["NG"] })),
  );
  const intakesWith = (deadlines: object[]) => [{ year: 2090, month: 9, state: "open", deadlines }];
  const deadline = { kind: "applyBy", date: "2090-01-01", time: null, hard: true };
  const rows = [
    ...groups.map((group, at) =>
      programmeRowOf(String(at), { intakes: intakesWith([{ ...deadline, group }]) }),
    ),
    ...many(1),
  ];
  await importProgrammes(admin.caller, programmesFile(source, rows));
  const next = rows.map((row) => ({ ...row, title: `New ${row.title}`, intakes: intakesWith([]) }));
  await importProgrammes(admin.caller, programmesFile(source, next));
  await admin.caller.api.catalogue.saveGroup({
    id: renamed?.id ?? "",
    name: `${source} by another name`,
    countries: ["NG"],
  });
  await admin.caller.api.catalogue.removeGroup({ id: removed?.id ?? "" });
  const undone = await admin.caller.api.catalogue.undoImport({ id: await latestOf(source) });
  expect(undone).toMatchObject({ restored: 1, removed: 0 });
  const changes = undone.left.toSorted((a, b) => a.title.localeCompare(b.title));
  expect(changes.map(({ title, why }) => [title, why])).toEqual(
    groups.map((group, at) => [
      `New MSc Nursing ${at}`,
      `Its deadlines were for “${group}”, a group that has since been renamed or removed.`,
    ]),
  );
  expect((await entriesOf(source)).map(({ title }) => title)).toEqual([
    "New MSc Nursing 0",
    "MSc Nursing 00000",
    "New MSc Nursing 1",
  ]);
});

test("an undo does not restore a source id that another programme now has", async () => {
  const source = freshSource();
  await importProgrammes(admin.caller, programmesFile(source, [programmeRowOf("one")]));
  const [row] = await w.services.database.db.select().from(programme).where(eq(programme.source, source));
  const moved = programmeRowOf("two", { id: row?.id, source });
  await importProgrammes(admin.caller, programmesFile(source, [moved]));
  await admin.caller.api.catalogue.putProgrammes({ programmes: [{ ...programmeRowOf("one"), source }] });
  const undone = await admin.caller.api.catalogue.undoImport({ id: await latestOf(source) });
  expect(undone).toEqual({
    restored: 0,
    removed: 0,
    leftCount: 1,
    left: [{ id: row?.id, title: "MSc Nursing two", why: "Another programme has its source id by now." }],
  });
});
