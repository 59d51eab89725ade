import { defineConfig } from "vitest/config";

// For a machine under load; nothing is asserted about time.
const patient = { testTimeout: 90_000, hookTimeout: 90_000 };

export default defineConfig({
  test: {
    // Vitest would leave one of two cores idle, and most tests wait for PostgreSQL.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "domain",
          include: ["domain/**/*.test.ts", "web/**/*.test.ts", "scripts/**/*.test.ts"],
          ...patient,
        },
      },
      {
        test: {
          name: "server",
          include: ["server/**/*.test.ts", "tests/*.test.ts"],
          globalSetup: ["tests/postgres.ts"],
          ...patient,
          // The server's code is loaded once a worker: for each file anew it takes longer than most files' tests. What a
          // file changes, it changes in a database and a server of its own.
          isolate: false,
        },
      },
    ],
  },
});
