import { chromium, type Page, type Request } from "@playwright/test";
import { findChromium } from "#tests/support/chromium.ts";
import { openAsBidder, sellAnItem } from "./auctioneer.ts";
import { call } from "./call.ts";
import { hold } from "./hold.ts";
import { type Person, signedUp } from "./people.ts";
import { logOut } from "./steps.ts";
import { expect, test } from "./story.ts";

/** Expects nothing of the person on the screen or anywhere in the page. */
async function expectNothingOf(page: Page, { email, firstName }: Person) {
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole("heading", { level: 1, name: "Welcome back" })).toBeVisible();
  const inputs = await page.locator("input").all();
  const values = await Promise.all(inputs.map((input) => input.inputValue()));
  expect([await page.content(), ...values].filter((text) => text.includes(email))).toEqual([]);
  expect(values).not.toContain(firstName);
}

test("Back shows nothing of a person who has logged out on the same page", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  await page.goto("/student-dashboard");
  await page.goto("/student-profile");
  await expect(page.getByLabel("First name")).toHaveValue(ada.firstName);
  await logOut(page, ada.email);
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expectNothingOf(page, ada);
});

test("Back shows nothing of the last viewer of a page that the browser has kept", async ({ server }) => {
  const browser = await chromium.launch({
    ...(await findChromium()),
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  });
  const page = await browser.newPage({ baseURL: server.url, locale: "en-GB" });
  const noting = `addEventListener("pageshow", ({ persisted }) => persisted && sessionStorage.setItem("kept", "yes"))`;
  await page.addInitScript({ content: noting });
  const wasKept = () => page.evaluate<string | null>(`sessionStorage.getItem("kept")`);
  const ada = await signedUp(page, server.url, "student");
  const name = page.getByLabel("First name");
  await page.goto("/student-profile");
  await expect(name).toHaveValue(ada.firstName);
  await expect(name).toBeVisible();
  await page.goto("/terms");
  await page.goBack();
  // A viewer who is still logged in sees their page again.
  await expect(name).toHaveValue(ada.firstName);
  await expect(name).toBeVisible();
  const keeps = (await wasKept()) === "yes";
  await page.goto("/terms");
  await call(page.request, server.url, "account/signOut", {});
  await page.goBack();
  await expectNothingOf(page, ada);
  test.info().annotations.push({ type: "back-forward cache", description: keeps ? "used" : "not used" });
  await browser.close();
});

test("a log-out is followed by no request that only a member may send", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  const memberCalls = [
    "auctions/relation",
    "auctions/openQuestions",
    "watching/marks",
    "planner/setTimeZone",
  ];
  const answers = memberCalls.map((name) =>
    page.waitForResponse((response) => response.url().includes(name)),
  );
  const ada = await openAsBidder(page, server, desk);
  // A loading page may send calls until the log-out is answered.
  await Promise.all(answers);
  const calls: string[] = [];
  page.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await logOut(page, ada.email);
  await expect(page).toHaveURL("/");
  const signOut = calls.indexOf("/rpc/account/signOut");
  expect(signOut).toBeGreaterThanOrEqual(0);
  expect(calls.slice(signOut + 1).filter((path) => path.startsWith("/rpc/"))).toEqual([]);
});

test("a log-out ends the stream first, even if the code that watches the account hasn't loaded yet", async ({
  page,
  server,
}) => {
  const ada = await signedUp(page, server.url, "student");
  const letGo = await hold(page, "**/assets/watch-account-*.js");
  const answer = Promise.withResolvers<void>();
  await page.route("**/rpc/account/signOut", async (route) => {
    const response = await route.fetch();
    await answer.promise;
    await route.fulfill({ response });
  });
  const isStream = (request: Request) => request.url().includes("/live?topics=conversations,notifications");
  const opened = page.waitForEvent("request", isStream);
  await page.goto("/terms");
  await opened;
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  const ended = page.waitForEvent("requestfailed", isStream);
  await logOut(page, ada.email);
  await ended;
  answer.resolve();
  await expect(page).toHaveURL("/");
  letGo();
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  expect(paths).toContain("/rpc/account/signOut");
  expect(paths).not.toContain("/rpc/account/me");
  expect(paths).not.toContain("/live");
});
