import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { locks, unknownLicences } from "./supply.ts";

test("docs/dependencies.md gives the reason for every dependency, and for no other package", async () => {
  const files = ["package.json", ...globSync("packages/*/package.json")];
  const manifests = await Promise.all(
    files.map(async (file) => manifest.parse(JSON.parse(await readFile(file, "utf8")))),
  );
  const all = manifests.flatMap((each) => Object.values(each)).flatMap((each) => Object.keys(each));
  const text = await readFile("docs/dependencies.md", "utf8");
  const tables = text.split("## Seldom used")[0] + (text.split("## Optional")[1]?.split("## ")[0] ?? "");
  const patterns = [...tables.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/[^`, ]+/g) ?? [],
  );
  const fits = (name: string) => (each: string) =>
    name.endsWith("*") ? each.startsWith(name.slice(0, -1)) : each === name;
  expect(all.filter((each) => !patterns.some((name) => fits(name)(each)))).toEqual([]);
  expect(patterns.filter((name) => !all.some(fits(name)))).toEqual([]);
});

const lockOf = (license?: string) =>
  JSON.stringify({ packages: { "": {}, "node_modules/some": { license } } });

const versions = z.record(z.string(), z.string());
const manifest = z.object({
  dependencies: versions.default({}),
  devDependencies: versions.default({}),
  optionalDependencies: versions.default({}),
});

test.each(locks)("every dependency of %s has a reviewed licence", async (lock) => {
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
