import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { advisoryLocks } from "./advisory-locks.ts";

test("no two purposes share a number, migrations included", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
  const folder = "server/migrations";
  const statements = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("\n");
  const inMigrations = [...statements.matchAll(/advisory\w*\((\d+)\)/g)].map(([, number]) => Number(number));
  expect(inMigrations).toEqual([advisoryLocks.auditChain]);
});
