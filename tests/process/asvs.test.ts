import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const text = readFileSync("docs/asvs.md", "utf8");

test("every file that docs/asvs.md names exists", () => {
  const paths = [...text.matchAll(/`((?:server|domain|web|tests|scripts|deploy|contract)\/[^`]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(paths.length).toBeGreaterThan(100);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

/** Number of requirements of levels 1 and 2 in each chapter of ASVS 5.0.0; V10 and V17 are left out completely. */
const requirements: Record<string, number> = {
  V1: 27,
  V2: 11,
  V3: 19,
  V4: 10,
  V5: 9,
  V6: 35,
  V7: 18,
  V8: 7,
  V9: 7,
  V11: 14,
  V12: 9,
  V13: 13,
  V14: 9,
  V15: 13,
  V16: 16,
};

test("each requirement of ASVS is answered exactly once", () => {
  const answered = text
    .split("\n")
    .filter((line) => line.startsWith("| V"))
    .flatMap((line) => line.split("|")[1]?.match(/V\d+\.\d+\.\d+/g) ?? []);
  expect(answered.filter((id, at) => answered.indexOf(id) !== at)).toEqual([]);
  const counts = Object.fromEntries(
    Object.keys(requirements).map((chapter) => [
      chapter,
      answered.filter((id) => id.startsWith(`${chapter}.`)).length,
    ]),
  );
  expect(counts).toEqual(requirements);
});
