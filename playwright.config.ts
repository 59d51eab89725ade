import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { findChromium } from "#tests/support/chromium.ts";
import { memoryFolder } from "#tests/support/memory-folder.ts";
import { nightlyStories } from "#tests/support/nightly.ts";

/** Lets Chromium's processes share memory where there is enough: by default Playwright makes them share files. */
const ignoreDefaultArgs = (await memoryFolder()) === null ? [] : ["--disable-dev-shm-usage"];

export default defineConfig({
  testDir: "tests/e2e",
  projects: [
    { name: "stories", testMatch: "*.e2e.ts", testIgnore: nightlyStories },
    { name: "nightly", testMatch: nightlyStories },
  ],
  outputDir: "build/test-results",
  globalSetup: "./tests/e2e/built-pages.ts",
  // Many stories wait: for a mail, an end, an animation.
  workers: Math.ceil(availableParallelism() * 1.5),
  retries: 0,
  forbidOnly: true,
  // For a machine under load; nothing is asserted about time.
  timeout: 180_000,
  globalTimeout: 2_600_000,
  expect: { timeout: 30_000 },
  use: {
    launchOptions: { ...(await findChromium()), ignoreDefaultArgs },
    locale: "en-GB",
    screenshot: "only-on-failure",
  },
});
