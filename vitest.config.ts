import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { nightlyTests } from "./tests/support/nightly.ts";

const ofAll = {
  // The code is loaded once a worker: for each file anew, it takes longer than most files' tests. What a file changes, it
  // changes in a database and a server of its own.
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
          ...ofAll,
          name: "domain",
          include: ["{domain,protocol,web,scripts}/**/*.test.ts"],
        },
      },
      {
        test: {
          ...ofAll,
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
          ...ofAll,
          name: "nightly",
          include: nightlyTests,
          globalSetup: ["tests/support/postgres.ts"],
        },
      },
    ],
  },
});
