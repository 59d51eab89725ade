import { readdirSync } from "node:fs";
import { posix } from "node:path";
import { type ParseResult, parseSync } from "oxc-parser";

export type Import = { to: string; isType: boolean };

function parsed(file: string, source: string): ParseResult {
  const result = parseSync(file, source);
  if (result.errors[0]) throw new Error(`${file}: ${result.errors[0].message}`);
  return result;
}

export function importsOf(file: string, source: string): Import[] {
  const { module } = parsed(file, source);
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      to: moduleRequest.value,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap((entry) =>
        entry.moduleRequest ? [{ to: entry.moduleRequest.value, isType: entry.isType }] : [],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      to: source.slice(moduleRequest.start + 1, moduleRequest.end - 1),
      isType: false,
    })),
  ];
}

/** Returns the file that an import names, relative to the root of the repository, or null for a package. */
export function target(file: string, to: string): string | null {
  if (to.startsWith("#")) return to.slice(1);
  return to.startsWith(".") ? posix.join(posix.dirname(file), to) : null;
}

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);

/** Lists our modules in a folder, including tests, relative to the root of the repository. */
export const modulesIn = (folder: string, root = "."): string[] =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);
