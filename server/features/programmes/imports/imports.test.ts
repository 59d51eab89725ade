import { randomUUID } from "node:crypto";
import { and, eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { currencies } from "#domain/currency.ts";
import { programmeLimits } from "#domain/programme.ts";
import { type Person, person } from "#tests/support/factories.ts";
import {
  dryRunOf,
  exportProgrammes,
  importProgrammes,
  programmeRowOf,
  programmesFile,
  sendProgrammes,
} from "#tests/support/programme-files.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readEntries } from "../entries.ts";
import { institution, programme } from "../tables.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const freshSource = () => `feed ${randomUUID().slice(0, 8)}`;
const entriesOf = async (source: string, on = w) =>
  (
    await readEntries(
      on.services.database.db,
      and(eq(programme.source, source), isNull(programme.removedAt)) ?? eq(programme.source, source),
    )
  )
    .map(({ entry }) => entry)
    .toSorted((one, other) => ((one.sourceId ?? "") < (other.sourceId ?? "") ? -1 : 1));
const many = (count: number, changes: Record<string, unknown> = {}) =>
  Array.from({ length: count }, (_, at) => programmeRowOf(String(at).padStart(5, "0"), changes));

test("a dry run reports row by row what a file would do, without doing it", async () => {
  const source = freshSource();
  await importProgrammes(
    admin.caller,
    programmesFile(source, [programmeRowOf("same"), programmeRowOf("old"), programmeRowOf("gone")]),
  );
  const before = await entriesOf(source);
  const name = `College ${source}`;
  const report = await dryRunOf(
    admin.caller,
    programmesFile(source, [
      programmeRowOf("same"),
      programmeRowOf("old", { title: "MSc Midwifery", months: 24 }),
      programmeRowOf("new", { institution: { name, country: "IE" } }),
      programmeRowOf("bad", { level: "Kindergarten" }),
      programmeRowOf("late", { checkedOn: "2999-01-01" }),
      programmeRowOf("same"),
      programmeRowOf("zone", { institution: { name: "Somewhere", country: "US" } }),
      programmeRowOf("group", {
        intakes: [
          {
            year: 2090,
            month: 9,
            state: "open",
            deadlines: [{ kind: "applyBy", group: "Atlantis", date: "2090-01-01", time: null, hard: true }],
          },
        ],
      }),
      { ...programmeRowOf("none"), sourceId: null },
    ]),
  );
  expect(report.counts).toEqual({ new: 1, changed: 1, unchanged: 1, refused: 6 });
  expect(report.rows.map(({ number, outcome, fields }) => [number, outcome, fields])).toEqual([
    [2, "changed", ["title", "months"]],
    [3, "new", []],
    ...[4, 5, 6, 7, 8, 9].map((number) => [number, "refused", []]),
  ]);
  const why = new Map(report.rows.map((row) => [row.number, row.why]));
  expect(why.get(4)).toContain("level");
  expect(why.get(6)).toBe("Row 1 is the same programme.");
  expect(why.get(7)).toContain("time zone");
  expect(why.get(8)).toContain("Atlantis");
  expect(why.get(9)).toContain("source id");
  expect(report.newInstitutions).toEqual([name]);
  expect(report.missing.programmes.map(({ title }) => title)).toEqual(["MSc Nursing gone"]);
  expect(await entriesOf(source)).toEqual(before);
  const names = await w.services.database.db.select().from(institution).where(eq(institution.name, name));
  expect(names).toEqual([]);
});

test("importing the same file again changes nothing, nor does importing an export of either format", async () => {
  const source = freshSource();
  const { id: groupId } = await admin.caller.api.catalogue.saveGroup({
    name: source,
    countries: ["NG", "GH"],
  });
  const deadlines = [
    { kind: "applyBy", group: source, date: "2090-05-31", time: null, hard: false },
    { kind: "visaPapersBy", group: null, date: "2090-08-01", time: "09:30", hard: true },
  ];
  const programmes = [
    ...many(230),
    programmeRowOf("group", { intakes: [{ year: 2090, month: 1, state: "notYet", deadlines }] }),
    programmeRowOf("text", {
      title: '=cmd, "quoted"; or ‘so’',
      requirementSets: [
        [{ kind: "text", text: "Two lines,\nand a ; semicolon" }],
        [
          { kind: "gap", mostYears: 3 },
          { kind: "subjects", least: 3, scale: "aLevel", grade: "B" },
        ],
      ],
    }),
  ];
  const file = programmesFile(source, programmes);
  const first = await importProgrammes(admin.caller, file);
  expect(first.counts).toEqual({ new: 232, changed: 0, unchanged: 0, refused: 0 });
  const entries = await entriesOf(source);
  expect(entries.find(({ sourceId }) => sourceId === "group")?.intakes[0]?.deadlines).toEqual(deadlines);
  const nothing = { new: 0, changed: 0, unchanged: 232, refused: 0 };
  expect((await importProgrammes(admin.caller, file)).counts).toEqual(nothing);
  for (const format of ["json", "csv"]) {
    const exported = await exportProgrammes(admin.caller, format, source);
    const report = await importProgrammes(admin.caller, exported, { format });
    expect({ format, ...report.counts, rows: report.rows }).toEqual({ format, ...nothing, rows: [] });
  }
  expect(await entriesOf(source)).toEqual(entries);
  expect(groupId).not.toBe("");
});

test("amounts in every currency stay the same through both formats", async () => {
  const source = freshSource();
  const amounts = [0, 1, 10, 99, 100, 999, 1000, 1001, 12_345_678, programmeLimits.fee];
  const programmes = currencies.map((currency) =>
    programmeRowOf(currency, {
      fees: amounts.map((amount, at) => ({
        kind: "other",
        amount,
        currency,
        per: "whole",
        academicYear: 2030 + at,
        audience: "all",
      })),
    }),
  );
  await importProgrammes(admin.caller, programmesFile(source, programmes));
  const amountsOf = async (from: string) =>
    new Map(
      (await entriesOf(from)).map(({ sourceId, fees }) => [sourceId, fees.map(({ amount }) => amount)]),
    );
  expect(await amountsOf(source)).toEqual(
    new Map(currencies.toSorted().map((currency) => [currency, amounts])),
  );
  const exported = await exportProgrammes(admin.caller, "csv", source);
  // Rows of another source are new, so that their amounts come only from the text of the cells.
  const other = freshSource();
  const renamed = exported.replaceAll(source, other).replaceAll(/^[0-9a-f-]{36},/gm, ",");
  expect((await importProgrammes(admin.caller, renamed, { format: "csv" })).counts.new).toBe(
    currencies.length,
  );
  expect(await amountsOf(other)).toEqual(await amountsOf(source));
});

test("repeating an import whose connections were cut gives the same result as a single run", async () => {
  const [cut, whole] = [freshSource(), freshSource()];
  await importProgrammes(admin.caller, programmesFile(cut, many(300, { months: 9 })));
  await importProgrammes(admin.caller, programmesFile(whole, many(300, { months: 9 })));
  const file = programmesFile(cut, many(1500));
  const { hash } = await dryRunOf(admin.caller, file);
  const running = sendProgrammes(admin.caller, file, { run: hash });
  await until(async () => (await entriesOf(cut)).length > 500);
  w.services.database.sockets.cut("on purpose");
  expect((await running).status).toBe(503);
  const partly = (await entriesOf(cut)).length;
  expect(partly).toBeGreaterThan(500);
  expect(partly).toBeLessThan(1500);
  await importProgrammes(admin.caller, file);
  await importProgrammes(admin.caller, programmesFile(whole, many(1500)));
  const withoutSource = async (source: string) =>
    (await entriesOf(source)).map((entry) => ({ ...entry, source: "" }));
  expect(await withoutSource(cut)).toEqual(await withoutSource(whole));
  const { imports } = await admin.caller.api.catalogue.imports();
  const ofSource = (source: string) =>
    imports
      .filter((each) => each.source === source)
      .map(({ added, changed, finishedAt, undoable }) => [added, changed, finishedAt !== null, undoable]);
  expect(ofSource(cut)).toEqual(ofSource(whole));
  expect(ofSource(cut)).toEqual([
    [1200, 300, true, true],
    [300, 0, true, false],
  ]);
});

test("the second of two concurrent imports is refused, and nothing is added twice", async () => {
  const source = freshSource();
  const other = await wayfare({ on: w.address });
  const second = await person(other, "admin", "active");
  const file = programmesFile(source, many(1200));
  const { hash } = await dryRunOf(admin.caller, file);
  const answers = await Promise.all(
    [admin, second].map(async ({ caller }) => {
      const response = await sendProgrammes(caller, file, { run: hash });
      const body: unknown = await response.json();
      return [response.status, body] as const;
    }),
  );
  await other.stop();
  expect(answers.map(([status]) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect(answers.find(([status]) => status === 409)?.[1]).toMatchObject({ code: "failed-precondition" });
  expect(await entriesOf(source)).toHaveLength(1200);
});

test("a programme that staff have removed is refused, and an import never makes a check by staff older", async () => {
  const source = freshSource();
  const file = programmesFile(source, many(2));
  await importProgrammes(admin.caller, file);
  const rows = await w.services.database.db.select().from(programme).where(eq(programme.source, source));
  const [removed, second] = rows.toSorted((one, other) =>
    (one.sourceId ?? "") < (other.sourceId ?? "") ? -1 : 1,
  );
  if (!removed || !second) throw new Error("the programmes are not there");
  await admin.caller.api.catalogue.remove({ id: removed.id });
  expect(await admin.caller.api.catalogue.markChecked({ ids: [removed.id, second.id] })).toEqual({
    marked: 1,
  });
  const report = await importProgrammes(admin.caller, file);
  expect(report.counts).toEqual({ new: 0, changed: 0, unchanged: 1, refused: 1 });
  const [row] = await w.services.database.db.select().from(programme).where(eq(programme.id, second.id));
  expect(row).toMatchObject({ checkedOn: new Date().toISOString().slice(0, 10), checkedBy: admin.id });
});
