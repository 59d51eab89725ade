import type { Page } from "@playwright/test";
import { openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { accountMenu } from "./steps.ts";
import { expect, test } from "./story.ts";

/** Breaks the connection for the code of these modules until the returned function is called. */
async function lose(page: Page, ...modules: string[]): Promise<() => Promise<void>> {
  const code = new RegExp(`/assets/(${modules.join("|")})-[^/]*\\.js`);
  await page.route(code, (route) => route.abort("internetdisconnected"));
  return async () => await page.unroute(code);
}

const notLoaded = "We couldn't load a part of this page. Reloading usually helps.";

test("a page keeps working without the parts of its frame whose code is lost", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  const frame = ["bell", "messages-link", "watch-account", "announcements", "verify-reminder", "navigation"];
  await lose(page, ...frame);
  const lost = frame.map((name) =>
    page.waitForEvent("requestfailed", (request) => request.url().includes(`/assets/${name}-`)),
  );
  await page.goto("/student-dashboard");
  await Promise.all(lost);
  await page.getByRole("button", { name: ada.email }).click();
  await accountMenu(page).getByRole("link", { name: "My bids" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "My bids" })).toBeVisible();
  await page.getByRole("link", { name: "Messages", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
  await page.getByRole("link", { name: "Notifications", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
});

test("an item can be bid for while the code of its questions is lost, and a reload shows them", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  const find = await lose(page, "questions");
  await openAsBidder(page, server, desk);
  await expect(page.getByText(notLoaded)).toBeVisible();
  await placeBid(page, "160");
  await expect(panel(page).getByText("R160.00", { exact: true })).toBeVisible();
  await find();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Questions" })).toBeVisible();
  await expect(page.getByText(notLoaded)).toHaveCount(0);
});

test.describe("after an old login", () => {
  test.use({ expectsRefusals: true });

  test("an action is abandoned when the code that asks for the password is lost", async ({
    page,
    server,
  }) => {
    await signedUp(page, server.url, "student");
    const message = "This operation requires recent authentication. Please log in again.";
    const json = { defined: true, code: "auth/requires-recent-login", status: 401, message };
    await page.route("**/rpc/account/dataLink", (route) => route.fulfill({ status: 401, json: { json } }));
    await lose(page, "confirm-identity");
    await page.goto("/your-data");
    const prepare = page.getByRole("main").getByRole("button", { name: "Download my data" });
    await prepare.click();
    const dialog = page.getByRole("dialog", { name: "Something went wrong" });
    await expect(dialog).toContainText(notLoaded);
    await dialog.getByRole("button", { name: "OK" }).click();
    await expect(dialog).toBeHidden();
    await expect(prepare).toBeEnabled();
  });
});
