import { sampleMails } from "#tests/support/sample-mails.ts";
import { expect, test } from "./story.ts";

// Readers beside a list of mails are about as narrow as the first; those on a desktop have the second.
for (const width of [320, 640])
  test(`emails of every kind fit a reader of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const { kind, mail } of sampleMails) {
      await page.setContent(mail.html);
      expect(await page.evaluate("document.documentElement.scrollWidth"), kind).toBe(width);
    }
  });
