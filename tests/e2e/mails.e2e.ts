import { sampleMails } from "#tests/support/sample-mails.ts";
import { expect, test } from "./story.ts";

test("emails of every kind fit a narrow and a wide mail client", async ({ page, server }) => {
  for (const { kind, mail } of await sampleMails(server.dataDir)) {
    await page.setContent(mail.html);
    // A mail client with a list beside the mail is about as narrow as the first; one on a desktop has the second width.
    for (const width of [320, 640]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth"), kind).toBe(width);
    }
  }
});
