import { sampleMails } from "#tests/support/sample-mails.ts";
import { expect, test } from "./story.ts";

test("emails of every kind fit a narrow and a wide reader", async ({ page, server }) => {
  for (const { kind, mail } of await sampleMails(server.dataDir)) {
    await page.setContent(mail.html);
    // Readers beside a list of mails are about as narrow as the first; those on a desktop have the second.
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth"), kind).toBe(width);
    }
  }
});
