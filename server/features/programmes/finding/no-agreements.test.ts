import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { programmeSorts } from "#domain/programme-list.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { storeInstitution, storeProgrammeOf } from "#tests/support/programmes.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const root = resolve(import.meta.dirname, "../../../..");
const here = relative(root, import.meta.dirname);

/** Returns the files that a file imports values from. Imported types can't read anything. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s+(?!type\b)[^;]*?from "([^"]+)"|import\("([^"]+)"\)/gm,
  );
  return [...statements].flatMap(([, from, dynamic]) => {
    const source = from ?? dynamic ?? "";
    if (source.startsWith("#")) return [source.slice(1)];
    return source.startsWith(".") ? [relative(root, resolve(root, dirname(file), source))] : [];
  });
}

/** Returns these files, and all files that they import values from, directly or not. */
function reachedFrom(files: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file) || !existsSync(join(root, file))) continue;
    reached.add(file);
    waiting.push(...importsOf(file));
  }
  return reached;
}
const agreementsIn = (files: ReadonlySet<string>) =>
  [...files].filter((file) => file.startsWith("server/features/agreements/"));

test("no file that finds, counts, orders or compares programmes imports anything from agreements", () => {
  const studentFiles = ["answers", "for-student", "requirement-index"];
  const finding = ["list", "counts", "pages", "institutions", "slugs", "procedures", ...studentFiles];
  const reached = reachedFrom([
    ...finding.map((name) => `${here}/${name}.ts`),
    "server/features/programmes/listing.ts",
    "server/features/programmes/nightly.ts",
  ]);
  expect(reached).toContain("domain/eligibility.ts");
  expect(reached).toContain("server/features/programmes/tables.ts");
  expect(agreementsIn(reached)).toEqual([]);
  expect(agreementsIn(reachedFrom(["server/features/index.ts"]))).not.toEqual([]);
});

let w: Wayfare;
let ada: Person;
let programmeId: string;
beforeAll(async () => {
  w = await wayfare();
  ada = await person(w, "student", "active");
  programmeId = await storeProgrammeOf(w, await storeInstitution(w), { title: "MSc Nursing" });
});
afterAll(() => w.stop());

/** Runs `work` and returns the statements that were sent to PostgreSQL in the meantime. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    return query.mock.calls.map(([first]: unknown[]) =>
      typeof first === "string" ? first : String(Object(first).text),
    );
  } finally {
    query.mockRestore();
  }
}

test("no statement that finds, counts, orders or compares programmes reads the table of agreements", async () => {
  const call = async (name: string, input: object) => {
    const { status, body } = await ada.caller.call(name, input);
    expect([name, status]).toEqual([name, 200]);
    return body;
  };
  const filters = { country: "GB", feeUpTo: 1_000, intake: "2090-09" };
  const finding = await statementsOf(async () => {
    for (const sort of programmeSorts)
      for (const input of [{}, filters, { search: "nursing" }, { search: "nusring", ...filters }]) {
        await call("programmes.list", { sort, ...input });
        await call("programmes.forStudent", { sort, ...input });
      }
    await call("programmes.forStudent", { sort: "gaps", outcome: "notKnown" });
    await call("programmes.counts", {});
    await call("programmes.counts", { search: "nursing", ...filters });
    await call("programmes.compare", { slugs: ["nothing"] });
    await call("programmes.institutions", { search: "leeds" });
    await w.services.programmeSlugs();
  });
  const readsProgrammes = finding.filter((text) => /\bprogramme\b/.test(text));
  expect(readsProgrammes.length).toBeGreaterThan(20);
  expect(finding.filter((text) => /\bagreement\b/i.test(text))).toEqual([]);
  const page = await statementsOf(() => call("programmes.answers", { programmeId }));
  expect(page.filter((text) => /\bagreement\b/i.test(text))).toHaveLength(1);
});
