import { defineConfig } from "vitest/config";

/** `npm run test:storage`: tests everything that uses files, on a real S3 server (docs/operations.md). */
export default defineConfig({
  test: {
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: [
      "tests/storage/*.test.ts",
      // Tests that `npm test` also runs on a folder.
      "server/platform/storage.test.ts",
      "server/backup/*.test.ts",
      "server/features/{documents,privacy}/**/*.test.ts",
      "server/features/auctions/pictures/*.test.ts",
      "server/endpoints/{own-data,student-file}.test.ts",
      "tests/hostile/hostile-uploads.test.ts",
      "tools/demo/{fill,filled-in}.test.ts",
      "tools/import/*.test.ts",
    ],
    globalSetup: ["tests/support/postgres.ts", "tests/storage/setup.ts"],
  },
});
