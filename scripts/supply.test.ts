import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { locks, unknownLicences } from "./supply.ts";

const lockOf = (license?: string) =>
  JSON.stringify({ packages: { "": {}, "node_modules/some": { license } } });

test.each(locks)("every dependency of %s has a licence that somebody has looked at", async (lock) => {
  expect(unknownLicences(await readFile(lock, "utf8"))).toEqual([]);
});

test.each([
  ["MIT", []],
  ["(MIT OR CC0-1.0)", []],
  ["Apache-2.0 AND LGPL-3.0-or-later AND MIT", []],
  ["AGPL-3.0-only", ["node_modules/some: AGPL-3.0-only"]],
  ["MIT AND SSPL-1.0", ["node_modules/some: MIT AND SSPL-1.0"]],
  [undefined, ["node_modules/some: none"]],
])("%s", (license, unknown) => {
  expect(unknownLicences(lockOf(license))).toEqual(unknown);
});
