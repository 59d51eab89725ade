import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Vitest would leave one of two cores idle, and most tests wait for PostgreSQL.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "domain",
          include: ["domain/**/*.test.ts", "web/**/*.test.ts", "scripts/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "server",
          include: ["server/**/*.test.ts", "tests/*.test.ts"],
          globalSetup: ["tests/postgres.ts"],
          // For a machine under load; nothing is asserted about time.
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
