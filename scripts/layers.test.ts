import { expect, test } from "vitest";
import { objection, violations } from "./layers.ts";

test("the layers hold", () => {
  expect(violations()).toEqual([]);
});

const runtime = (to: string) => ({ to, isType: false });
test.each([
  ["domain/money.ts", "zod"],
  ["domain/money.ts", "node:fs"],
  ["domain/money.ts", "#server/app.ts"],
  ["domain/money.ts", "../contract/index.ts"],
  ["contract/account.ts", "#server/app.ts"],
  ["server/app.ts", "#web/root.tsx"],
  ["server/app.ts", "#tests/wayfare.ts"],
  ["server/platform/jobs.ts", "#server/features/index.ts"],
  ["server/platform/jobs.ts", "../features/index.ts"],
  ["web/root.tsx", "#server/app.ts"],
  ["web/root.tsx", "../server/app.ts"],
  ["web/lib/rpc.ts", "#contract/index.ts"],
  ["tests/e2e/steps.ts", "../../web/root.tsx"],
])("%s may not import %s", (file, to) => {
  expect(objection(file, runtime(to))).toContain(file);
});

test.each([
  ["domain/money.test.ts", "fast-check", false],
  ["contract/account.ts", "#domain/account.ts", false],
  ["server/app.ts", "./platform/jobs.ts", false],
  ["server/platform/jobs.test.ts", "#tests/wayfare.ts", false],
  ["web/lib/rpc.ts", "#contract/index.ts", true],
  ["tests/e2e/steps.ts", "../../web/content/home.ts", false],
])("%s may import %s", (file, to, isType) => {
  expect(objection(file, { to, isType })).toBeNull();
});
