import { expect, test } from "vitest";
import { importsOf } from "./imports.ts";
import { featureCycles, fileCycles, knotsOf, largeKnots, objection } from "./layers.ts";

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
  ["packages/embedded-postgres/src/start.ts", "#server/platform/error-code.ts"],
  ["packages/embedded-postgres/src/start.ts", "../../../server/platform/error-code.ts"],
  ["server/main.ts", "../packages/embedded-postgres/src/start.ts"],
  ["server/app.ts", "#web/root.tsx"],
  ["server/app.ts", "#tests/support/wayfare.ts"],
  ["server/app.ts", "#tools/demo/fill.ts"],
  ["server/app.ts", "#tools/import/import-export.ts"],
  ["scripts/start.ts", "#tools/demo/fill.ts"],
  ["tools/demo/fill.ts", "#tests/support/wayfare.ts"],
  ["tools/import/take-files.ts", "#tests/support/wayfare.ts"],
  ["server/platform/jobs.ts", "#server/features/index.ts"],
  ["server/platform/jobs.ts", "../features/index.ts"],
  ["web/root.tsx", "#server/app.ts"],
  ["web/root.tsx", "../server/app.ts"],
  ["web/lib/rpc.ts", "#contract/index.ts"],
  ["web/ui/error-modal.tsx", "../screens/login/log-in-again.tsx"],
  ["web/ui/form/form.tsx", "#web/frame/session.tsx"],
  ["web/lib/viewer.ts", "../frame/session.tsx"],
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
  ["server/main.ts", "@wayfare/embedded-postgres", false],
  ["server/platform/jobs.test.ts", "#tests/support/wayfare.ts", false],
  ["tools/demo/fill.ts", "#server/features/account/tables.ts", false],
  ["tools/demo/fill.test.ts", "#tests/support/wayfare.ts", false],
  ["web/lib/rpc.ts", "#contract/index.ts", true],
  ["web/frame/session.tsx", "../ui/button.tsx", false],
  ["web/lib/viewer.test.ts", "../frame/session.tsx", false],
  ["tests/e2e/steps.ts", "../../web/content/home.ts", false],
])("%s may import %s", (file, to, isType) => {
  expect(objection(file, { to, isType })).toBeNull();
});

const edge = (file: string, to: string, isType = false) => ({ file, import: { to, isType } });

test("a cycle of features is found, also through a type and a third feature", () => {
  const messages = featureCycles([
    edge("server/features/agents/commands.ts", "#server/features/account/tables.ts"),
    edge("server/features/account/commands/set-disabled.ts", "../../notifications/commands.ts", true),
    edge("server/features/notifications/mails.ts", "#server/features/agents/mails.ts"),
  ]);
  expect(messages).toEqual([
    "agents → account → notifications → agents is a cycle: " +
      "server/features/agents/commands.ts → #server/features/account/tables.ts, " +
      "server/features/account/commands/set-disabled.ts → ../../notifications/commands.ts, " +
      "server/features/notifications/mails.ts → #server/features/agents/mails.ts",
  ]);
});

test("features may depend on the same one, and their tests on any", () => {
  const messages = featureCycles([
    edge("server/features/agents/commands.ts", "#server/features/account/tables.ts"),
    edge("server/features/students/waiting.ts", "../account/tables.ts"),
    edge("server/features/students/waiting.ts", "#server/features/students/tables.ts"),
    edge("server/features/account/set-disabled.test.ts", "../agents/commands.ts"),
  ]);
  expect(messages).toEqual([]);
});

test("a cycle of files is found, also through a lazy import, but not through types or tests", () => {
  const lazy = importsOf("web/ui/dialog.ts", 'const load = () => import("./form.ts");');
  const messages = fileCycles([
    ...lazy.map((each) => ({ file: "web/ui/dialog.ts", import: each })),
    edge("web/ui/form.ts", "../lib/drafts.ts"),
    edge("web/lib/drafts.ts", "#web/ui/dialog.ts"),
    edge("domain/bid.ts", "./money.ts", true),
    edge("domain/money.ts", "./bid.ts"),
    edge("domain/money.test.ts", "./area.ts"),
    edge("domain/area.ts", "./money.test.ts"),
  ]);
  expect(messages).toEqual([
    "web/ui/dialog.ts → web/ui/form.ts → web/lib/drafts.ts → web/ui/dialog.ts is a cycle",
  ]);
});

test("files that reach each other through values and types are a knot", () => {
  const knots = knotsOf([
    edge("domain/bid.ts", "./money.ts", true),
    edge("domain/money.ts", "./bid.ts"),
    edge("domain/area.ts", "./bid.ts"),
    edge("web/root.tsx", "./lib/hydration.ts"),
    edge("web/lib/hydration.ts", "../frame/frame.tsx", true),
    edge("web/frame/frame.tsx", "../root.tsx", true),
  ]);
  expect(knots).toEqual([
    ["web/frame/frame.tsx", "web/lib/hydration.ts", "web/root.tsx"],
    ["domain/bid.ts", "domain/money.ts"],
  ]);
});

test("a knot of more than 12 files is refused, also through types", () => {
  const ring = (size: number) =>
    Array.from({ length: size }, (_, at) => edge(`domain/${at}.ts`, `./${(at + 1) % size}.ts`, true));
  expect(largeKnots(ring(12))).toEqual([]);
  expect(largeKnots(ring(13))).toEqual([
    expect.stringMatching(/^13 files import each other, at most 12 may: /),
  ]);
});
