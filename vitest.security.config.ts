import { defineConfig } from "vitest/config";

/** Tests that `npm run test:security` runs besides the scanners: too long for `npm test`. */
export default defineConfig({
  test: {
    isolate: false,
    // One after the other: they measure memory, and the machine may do other things.
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
    // The three that generate run in `npm test` as well, with fewer values each.
    include: [
      "tests/security/*.test.ts",
      "tests/access/fuzz.test.ts",
      "tests/access/api-fuzz.test.ts",
      "tests/hostile/raw-http.test.ts",
    ],
    globalSetup: ["tests/support/postgres.ts"],
  },
});
