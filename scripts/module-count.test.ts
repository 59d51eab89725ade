import { expect, test } from "vitest";
import { reached, runsThrough } from "./module-count.ts";

const files: Record<string, string> = {
  "server/main.ts": `
    import { a as first, most } from "#domain/a.ts";
    import { type T, B } from "./b.ts";
    import { unused } from "./unused.ts";
    export const handlers = { one: (x: T) => first(x) + most + x.unused, two: () => new B({ unused: 1 }) };
    export const other = () => unused();
  `,
  "domain/a.ts": `
    import { c } from "./c.ts";
    import { beside } from "./beside.ts";
    export const most = 3;
    export const a = (x: unknown) => local(x);
    function local(x: unknown) { return c(x) }
    export default () => beside();
  `,
  "domain/c.ts": "export const { c, d } = { c: () => 1, d: 2 };",
  "domain/beside.ts": "export const beside = () => 1;",
  "server/b.ts": `
    import { readFileSync } from "node:fs";
    import { limit } from "./data.ts";
    export class B { read() { return readFileSync(limit) } }
  `,
  "server/data.ts": "export const limit = 'x';",
};
const read = (file: string) => files[file] ?? "";

test("functions are followed through imports, by their names in each module", () => {
  expect(reached([["server/main.ts", "handlers", "one"]], read)).toEqual([
    "server/main.ts",
    "domain/a.ts",
    "domain/c.ts",
  ]);
});

test("a class counts, and data does not", () => {
  expect(reached([["server/main.ts", "handlers", "two"]], read)).toEqual(["server/main.ts", "server/b.ts"]);
});

test("a step without a name is not followed", () => {
  expect(reached([["server/main.ts"], ["server/b.ts", "B"]], read)).toEqual([
    "server/main.ts",
    "server/b.ts",
  ]);
});

test("a step that is not there any more is an error", () => {
  expect(() => reached([["server/main.ts", "handlers", "three"]], read)).toThrow(
    "server/main.ts declares no three",
  );
});

test.each(Object.entries(runsThrough))("the way of %s is there", (_, modules) => {
  expect(modules()).toContain("server/app.ts");
});
