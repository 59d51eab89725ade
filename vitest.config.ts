import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { nightlyTests } from "./tests/support/nightly.ts";

const shared = {
  // The code is loaded once per worker: reloading it for each file takes longer than most files' tests. A file only
  // changes its own database and server.
  isolate: false,
  // For a machine under load; nothing is asserted about time.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // The tests of a file run in a fixed order other than the written one: a test that needs an earlier one fails.
  sequence: { shuffle: { tests: true } },
};

export default defineConfig({
  test: {
    // Vitest would leave one of two cores idle, and many tests wait: for PostgreSQL, for a process, for a mail.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { seed: 20261128 },
    projects: [
      {
        test: {
          ...shared,
          name: "domain",
          include: ["{domain,protocol,web,scripts}/**/*.test.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "server",
          include: [
            "{packages,server,tools}/**/*.test.ts",
            "tests/{access,api,history,hostile,pages,process,screens}/*.test.ts",
          ],
          exclude: [...configDefaults.exclude, ...nightlyTests],
          globalSetup: ["tests/support/postgres.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "nightly",
          include: nightlyTests,
          globalSetup: ["tests/support/postgres.ts"],
        },
      },
    ],
  },
});
