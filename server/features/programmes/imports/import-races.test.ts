import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, person } from "#tests/support/factories.ts";
import {
  dryRunOf,
  institutionForm,
  programmeForm,
  programmeRowOf,
  programmesFile,
  sendProgrammes,
} from "#tests/support/programme-files.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { programme } from "../tables.ts";

let w: Wayfare;
let admin: Person;
let others: Person[];
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
  others = await Promise.all(Array.from({ length: 3 }, () => person(w, "admin", "active")));
});
afterAll(() => w.stop());

const freshSource = () => `feed ${randomUUID().slice(0, 8)}`;
const rowsOf = (source: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...programmeRowOf(String(at).padStart(5, "0")), source }));
const countOf = (source: string) => w.services.database.db.$count(programme, eq(programme.source, source));
test("four identical concurrent calls add each programme once, and one of them reports it as new", async () => {
  for (let round = 0; round < 3; round++) {
    const source = freshSource();
    const programmes = rowsOf(source, 20);
    const answers = await Promise.all(
      [admin, ...others].map(({ caller }) => caller.api.catalogue.putProgrammes({ programmes })),
    );
    const outcomes = answers.map(({ rows }) => [...new Set(rows.map(({ outcome }) => outcome))].join());
    expect(outcomes.toSorted()).toEqual(["new", "unchanged", "unchanged", "unchanged"]);
    expect(await countOf(source)).toBe(20);
  }
});

test("a concurrent import, API calls and forms with the same new ids add each programme once", async () => {
  const source = freshSource();
  const rows = rowsOf(source, 400);
  const { caller } = admin;
  const { id: institutionId } = await caller.api.catalogue.saveInstitution(institutionForm());
  const file = programmesFile(source, rows);
  const { hash } = await dryRunOf(caller, file);
  const importing = sendProgrammes(caller, file, { run: hash });
  const calls = others.flatMap((each) =>
    Array.from({ length: 4 }, (_, at) =>
      each.caller.api.catalogue.putProgrammes({ programmes: rows.slice(at * 100, at * 100 + 100) }),
    ),
  );
  const forms = Array.from({ length: 8 }, (_, at) =>
    caller.api.catalogue
      .save({
        institutionId,
        entry: { ...programmeForm, source, sourceId: String(at * 50).padStart(5, "0") },
      })
      .then(
        () => "saved",
        (error: unknown) => error,
      ),
  );
  expect((await importing).status).toBe(200);
  for (const { rows: reports } of await Promise.all(calls))
    expect(reports.filter(({ outcome }) => outcome === "refused")).toEqual([]);
  for (const outcome of await Promise.all(forms))
    if (outcome !== "saved") expect(outcome).toMatchObject({ code: "already-exists" });
  expect(await countOf(source)).toBe(400);
});
