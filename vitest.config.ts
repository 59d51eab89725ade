import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
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
          // Shorter than the signs of life of a stream, which would repair what a test is to find broken.
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
