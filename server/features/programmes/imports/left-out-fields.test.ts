import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCsv } from "#protocol/read-csv.ts";
import { type Person, person } from "#tests/support/factories.ts";
import {
  dryRunOf,
  exportProgrammes,
  importProgrammes,
  programmeRowOf,
  programmesFile,
  sendProgrammes,
} from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readEntries } from "../entries.ts";
import { programme } from "../tables.ts";
import { requiredColumns } from "./csv-columns.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const freshSource = () => `feed ${randomUUID().slice(0, 8)}`;
const entriesOf = async (source: string) =>
  (await readEntries(w.services.database.db, eq(programme.source, source)))
    .map(({ entry }) => entry)
    .toSorted((one, other) => ((one.sourceId ?? "") < (other.sourceId ?? "") ? -1 : 1));
const three = ["1", "2", "3"];

/** Keeps only these columns of a CSV file. */
const cutTo = (csv: string, columns: readonly string[]): string => {
  const { headings, rows } = tableOf(csv);
  const places = columns.map((column) => headings.indexOf(column));
  const lines = [columns, ...rows.map(({ cells }) => places.map((place) => cells[place] ?? ""))];
  return lines.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")).join("\n");
};
function tableOf(csv: string) {
  const table = readCsv(csv);
  if (table.kind === "problem") throw new Error(table.message);
  return table;
}

test("an export that is cut to the required columns and those that identify programmes changes nothing", async () => {
  const source = freshSource();
  await importProgrammes(
    admin.caller,
    programmesFile(
      source,
      three.map((id) => programmeRowOf(id, { sample: true })),
    ),
  );
  const entries = await entriesOf(source);
  const csv = await exportProgrammes(admin.caller, "csv", source);
  for (const identity of [["Id"], ["Source", "Source id"], ["Id", "Source id"], ["Id", "Source"]]) {
    const report = await importProgrammes(admin.caller, cutTo(csv, [...identity, ...requiredColumns]), {
      format: "csv",
    });
    expect({ identity, ...report.counts }).toEqual({
      identity,
      new: 0,
      changed: 0,
      unchanged: 3,
      refused: 0,
    });
  }
  expect(await entriesOf(source)).toEqual(entries);
});

test("a file changes the columns that it has, and leaves the others as they are", async () => {
  const source = freshSource();
  await importProgrammes(admin.caller, programmesFile(source, [programmeRowOf("1")]));
  const [before] = await entriesOf(source);
  const csv = await exportProgrammes(admin.caller, "csv", source);
  const columns = ["Id", ...requiredColumns];
  const fewer = cutTo(csv, [...columns, "Intakes", "Award"]).replace(
    "2090-09 open",
    "2090-09 closed; 2091-01 open",
  );
  const report = await importProgrammes(admin.caller, fewer.replace('"MSc"', '""'), { format: "csv" });
  expect(report.rows).toMatchObject([{ outcome: "changed", fields: ["award", "intakes"] }]);
  const [intake] = before?.intakes ?? [];
  expect(await entriesOf(source)).toEqual([
    {
      ...before,
      award: "",
      intakes: [
        { ...intake, state: "closed" },
        { year: 2091, month: 1, state: "open", deadlines: [] },
      ],
    },
  ]);
  const alone = await sendProgrammes(admin.caller, cutTo(csv, [...columns, "Deadlines"]), { format: "csv" });
  expect(await alone.json()).toMatchObject({ message: expect.stringContaining("none called “Intakes”") });
});

test("JSON keeps the fields that it omits, and clears those that it sends empty", async () => {
  const source = freshSource();
  const file = (changes: Record<string, unknown>) => programmesFile(source, [programmeRowOf("one", changes)]);
  await importProgrammes(admin.caller, file({}));
  const [before] = await entriesOf(source);
  const absent = Object.fromEntries(
    ["award", "months", "sample", "intakes", "fees", "requirementSets"].map((field) => [field, undefined]),
  );
  expect((await importProgrammes(admin.caller, file(absent))).counts.unchanged).toBe(1);
  const emptied = await importProgrammes(admin.caller, file({ ...absent, months: null, fees: [] }));
  expect(emptied.rows).toMatchObject([{ fields: ["months", "fees"] }]);
  expect(await entriesOf(source)).toEqual([{ ...before, months: null, fees: [] }]);
});

test("a row with an id keeps its source, and changes it only by naming both source and source id", async () => {
  const [source, other] = [freshSource(), freshSource()];
  await importProgrammes(admin.caller, programmesFile(source, [programmeRowOf("one")]));
  await importProgrammes(admin.caller, programmesFile(other, [programmeRowOf("one")]));
  const [row] = await w.services.database.db.select().from(programme).where(eq(programme.source, source));
  const outcomeOf = async (changes: object) => {
    const { sourceId: _, ...facts } = programmeRowOf("one", { id: row?.id, title: "Renamed", ...changes });
    return (await dryRunOf(admin.caller, programmesFile(other, [{ ...facts, ...changes }]))).rows;
  };
  expect(await outcomeOf({})).toMatchObject([{ outcome: "changed", fields: ["title"] }]);
  expect(await outcomeOf({ source: other })).toMatchObject([
    { outcome: "refused", why: expect.stringContaining("must name both") },
  ]);
  expect(await outcomeOf({ source: other, sourceId: "two" })).toMatchObject([
    { fields: ["title", "source", "sourceId"] },
  ]);
});
