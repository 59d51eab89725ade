import { createUnsubscribeLinks } from "#server/features/notifications/unsubscribe-links.ts";
import { createKeys, readSecrets } from "#server/platform/keys.ts";
import { loadOrCreateSecret } from "#server/platform/session-secret.ts";
import { idAt, searchableStudent } from "./people.ts";
import { expect, test } from "./story.ts";

test("mails are switched off kind by kind", async ({ page, server }) => {
  await searchableStudent(page, server.url);
  await page.goto("/student-dashboard");
  await page.getByRole("button", { name: "Notifications" }).click();
  await page.getByRole("link", { name: "All notifications" }).click();
  await expect(page).toHaveURL("/notifications");
  const rejected = page.getByRole("checkbox", { name: "A document was rejected" });
  await expect(rejected).toBeChecked();
  await rejected.click();
  await expect(rejected).toBeEnabled();
  await page.reload();
  await expect(rejected).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "An application was updated" })).toBeChecked();
});

test("a mail's link switches off its kind without login, after a confirmation", async ({
  page,
  browser,
  server,
}) => {
  await searchableStudent(page, server.url);
  const userId = await idAt(page, server.url);
  const links = createUnsubscribeLinks(
    createKeys(readSecrets(await loadOrCreateSecret(server.dataDir))),
    server.url,
  );
  const link = links.make({ userId, kinds: ["outbid"] });
  const elsewhere = await browser.newPage();
  await elsewhere.goto(link);
  const button = elsewhere.getByRole("button", { name: "Unsubscribe" });
  await expect(button).toBeVisible();
  await page.goto("/notifications");
  const outbid = page.getByRole("checkbox", { name: "You've been outbid, email" });
  await expect(outbid).toBeChecked();
  await button.click();
  await expect(elsewhere.getByRole("listitem").filter({ hasText: "You've been outbid" })).toBeVisible();
  await page.reload();
  await expect(outbid).not.toBeChecked();

  await elsewhere.goto(`${link}x`);
  await button.click();
  await expect(elsewhere.getByText("This link doesn't work.")).toBeVisible();
  await elsewhere.close();
});
