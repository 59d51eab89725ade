import { defineConfig } from "@playwright/test";
import { findChromium } from "#tests/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.e2e.ts",
  outputDir: "build/test-results",
  globalSetup: "./tests/e2e/built-pages.ts",
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // For a machine under load; nothing is asserted about time.
  timeout: 30_000,
  globalTimeout: 1_500_000,
  expect: { timeout: 10_000 },
  use: { launchOptions: await findChromium(), locale: "en-GB", screenshot: "only-on-failure" },
});
