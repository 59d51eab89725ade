import { expect, test } from "vitest";
import { cycles, objection, violations } from "./layers.ts";

test("the layers hold", () => {
  expect(violations()).toEqual([]);
});

const runtime = (to: string) => ({ to, isType: false });
test.each([
  ["domain/money.ts", "zod"],
  ["domain/money.ts", "node:fs"],
  ["domain/money.ts", "#server/app.ts"],
  ["domain/money.ts", "../contract/index.ts"],
  ["domain/area.ts", "#protocol/addresses.ts"],
  ["protocol/addresses.ts", "zod"],
  ["protocol/addresses.ts", "node:fs"],
  ["protocol/addresses.ts", "#contract/index.ts"],
  ["protocol/addresses.test.ts", "#tests/support/wayfare.ts"],
  ["contract/account.ts", "#server/app.ts"],
  ["server/app.ts", "#web/root.tsx"],
  ["server/app.ts", "#tests/support/wayfare.ts"],
  ["server/app.ts", "#demo/fill.ts"],
  ["scripts/start.ts", "#demo/fill.ts"],
  ["demo/fill.ts", "#tests/support/wayfare.ts"],
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
  ["protocol/addresses.ts", "#domain/account.ts", false],
  ["contract/account.ts", "#domain/account.ts", false],
  ["contract/notifications.ts", "#protocol/page-sizes.ts", false],
  ["web/frame/bell.tsx", "#protocol/page-sizes.ts", false],
  ["server/app.ts", "./platform/jobs.ts", false],
  ["server/platform/jobs.test.ts", "#tests/support/wayfare.ts", false],
  ["demo/fill.ts", "#server/features/account/tables.ts", false],
  ["demo/fill.test.ts", "#tests/support/wayfare.ts", false],
  ["web/lib/rpc.ts", "#contract/index.ts", true],
  ["tests/e2e/steps.ts", "../../web/content/home.ts", false],
])("%s may import %s", (file, to, isType) => {
  expect(objection(file, { to, isType })).toBeNull();
});

const edge = (file: string, to: string, isType = false) => ({ file, import: { to, isType } });

test("a cycle of features is found, also by a type and over a third feature", () => {
  const found = cycles([
    edge("server/features/agents/commands.ts", "#server/features/account/tables.ts"),
    edge("server/features/account/commands/sign-up.ts", "../../notifications/commands.ts", true),
    edge("server/features/notifications/mails.ts", "#server/features/agents/mails.ts"),
  ]);
  expect(found).toEqual([
    "agents → account → notifications → agents is a cycle: " +
      "server/features/agents/commands.ts → #server/features/account/tables.ts, " +
      "server/features/account/commands/sign-up.ts → ../../notifications/commands.ts, " +
      "server/features/notifications/mails.ts → #server/features/agents/mails.ts",
  ]);
});

test("features may stand on the same one, and their tests on any", () => {
  const found = cycles([
    edge("server/features/agents/commands.ts", "#server/features/account/tables.ts"),
    edge("server/features/students/queries.ts", "../account/tables.ts"),
    edge("server/features/students/queries.ts", "#server/features/students/tables.ts"),
    edge("server/features/account/sign-up.test.ts", "../agents/commands.ts"),
  ]);
  expect(found).toEqual([]);
});
