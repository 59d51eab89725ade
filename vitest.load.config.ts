import { defineConfig } from "vitest/config";

/** Tests that `npm run test:load -- events` runs against a real Redis: those of several nodes, and its faults. */
export default defineConfig({
  test: {
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: [
      "tests/load/*.test.ts",
      "server/platform/bus.test.ts",
      "server/platform/live.test.ts",
      "server/endpoints/live.test.ts",
      "server/features/sessions/sessions.test.ts",
      "server/features/auctions/{bidding,catalogue}/**/*.test.ts",
    ],
    globalSetup: ["tests/support/postgres.ts"],
  },
});
