import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programmeImportChange } from "#server/features/programmes/imports/tables.ts";
import { programme } from "#server/features/programmes/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { importProgrammes, programmeRowOf, programmesFile } from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let admin: Person;
let api: Person["caller"]["api"]["catalogue"];
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
  api = admin.caller.api.catalogue;
});
afterAll(() => w.stop());

const pageOf = (slug: string) => admin.caller.api.programmes.read({ slug });
const freshSource = () => `feed ${randomUUID().slice(0, 8)}`;
const rowOf = async (source: string, sourceId: string) => {
  const rows = await w.services.database.db.select().from(programme).where(eq(programme.source, source));
  const row = rows.find((each) => each.sourceId === sourceId);
  if (!row) throw new Error("there is no such programme");
  return row;
};
const title = async (id: string) => (await api.read({ id })).entry.title;

test("an import of the joined programme's source id changes the target, which keeps its own source id", async () => {
  const [source, other] = [freshSource(), freshSource()];
  await importProgrammes(admin.caller, programmesFile(source, [programmeRowOf("1")]));
  await importProgrammes(admin.caller, programmesFile(other, [programmeRowOf("9")]));
  const [target, joined] = [await rowOf(source, "1"), await rowOf(other, "9")];
  const join = await api.joinProgramme({ id: joined.id, into: target.id });
  expect(join.sourceIds).toEqual([{ source: other, sourceId: "9" }]);
  const file = programmesFile(other, [programmeRowOf("9", { title: "Nursing and care" })]);
  const report = await importProgrammes(admin.caller, file);
  expect(report).toMatchObject({ counts: { changed: 1, new: 0 }, missing: { count: 0 } });
  expect(await title(target.id)).toBe("Nursing and care");
  expect(await rowOf(source, "1")).toMatchObject({ id: target.id, removedAt: null });
  expect(await importProgrammes(admin.caller, file)).toMatchObject({ counts: { unchanged: 1 } });
  const { rows } = await api.putProgrammes({
    programmes: [
      { ...programmeRowOf("9", { title: "By a program" }), source: other, id: joined.id },
      { ...programmeRowOf("1"), source },
    ],
  });
  expect(rows).toMatchObject([
    { outcome: "changed", id: target.id },
    { outcome: "refused", why: "Row 1 is the same programme." },
  ]);
  expect(await title(target.id)).toBe("By a program");
});

test("an undo restores the target, and skips a programme that was joined since with a reason", async () => {
  const [source, other] = [freshSource(), freshSource()];
  await importProgrammes(admin.caller, programmesFile(source, [programmeRowOf("1")]));
  await importProgrammes(admin.caller, programmesFile(other, [programmeRowOf("9"), programmeRowOf("8")]));
  const [target, joined] = [await rowOf(source, "1"), await rowOf(other, "9")];
  await api.joinProgramme({ id: joined.id, into: target.id });
  const latest = async () => (await api.imports()).imports.find((each) => each.source === other)?.id ?? "";
  const undone = await api.undoImport({ id: await latest() });
  expect(undone).toMatchObject({
    removed: 1,
    leftCount: 1,
    left: [{ id: joined.id, why: "It has been joined into another programme since." }],
  });
  expect(await pageOf(joined.slug)).toMatchObject({ id: target.id, removed: false });
  const file = programmesFile(other, [programmeRowOf("9", { title: "Nursing and care" })]);
  await importProgrammes(admin.caller, file);
  expect(await title(target.id)).toBe("Nursing and care");
  expect(
    await w.services.database.db.$count(
      programmeImportChange,
      eq(programmeImportChange.programmeId, target.id),
    ),
  ).toBe(2);
  expect(await api.undoImport({ id: await latest() })).toMatchObject({ restored: 1, leftCount: 0 });
  expect(await title(target.id)).toBe("MSc Nursing 1");
});

test("a join and concurrent imports of both source ids all succeed", async () => {
  const second = await person(w, "admin", "active");
  for (let round = 0; round < 4; round++) await joinWhileSending(second);
});

async function joinWhileSending(second: Person) {
  const [source, other] = [freshSource(), freshSource()];
  const rows = [
    { ...programmeRowOf("1"), source },
    { ...programmeRowOf("9"), source: other },
  ];
  await api.putProgrammes({ programmes: rows });
  const [target, joined] = [await rowOf(source, "1"), await rowOf(other, "9")];
  const sends = [1, 2, 3].map((at) =>
    second.caller.api.catalogue.putProgrammes({
      programmes: rows.map((row) => ({ ...row, title: `Nursing ${at}` })),
    }),
  );
  const joining = api.joinProgramme({ id: joined.id, into: target.id });
  const reports = (await Promise.all(sends)).flatMap((report) => report.rows);
  await joining;
  for (const { outcome, why } of reports)
    if (outcome === "refused") expect(why).toBe("Row 1 is the same programme.");
  expect(await rowOf(other, "9")).toMatchObject({ id: joined.id, joinedTo: target.id });
  expect(await rowOf(source, "1")).toMatchObject({ id: target.id, joinedTo: null, removedAt: null });
}
