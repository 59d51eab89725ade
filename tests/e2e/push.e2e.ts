import type { BrowserContext, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { pushSubscription } from "#server/features/push/tables.ts";
import { FakeBrowser, openPushService, senderOf } from "#tests/fakes/push-service.ts";
import { until } from "#tests/support/wayfare.ts";
import { inDatabase, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { searchableStudent } from "./people.ts";
import { logOut } from "./steps.ts";
import { expect, test } from "./story.ts";

/**
 * Fakes the browser's push service, because no real one can be reached: subscribing returns a fake subscription, which
 * lasts until it is ended. Headless Chromium grants the permission, but says afterwards that it is denied. The service
 * worker and the policy that loads it are real.
 */
const fakeService = `
  const name = "fake subscription";
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0)).buffer;
  const fake = (serverKey) => ({
    endpoint: subscription.endpoint,
    options: { applicationServerKey: bytes(serverKey), userVisibleOnly: true },
    getKey: (key) => bytes(subscription[key]),
    async unsubscribe() {
      localStorage.removeItem(name);
      return true;
    },
  });
  Object.defineProperty(Notification, "permission", { value: "granted" });
  Object.assign(PushManager.prototype, {
    async getSubscription() {
      const key = localStorage.getItem(name);
      return key === null ? null : fake(key);
    },
    async subscribe({ applicationServerKey }) {
      localStorage.setItem(name, applicationServerKey);
      return fake(applicationServerKey);
    },
  });`;

const subscribesAt = (context: BrowserContext, { subscription }: FakeBrowser) =>
  context.addInitScript({
    content: `{ const subscription = ${JSON.stringify(subscription)}; ${fakeService} }`,
  });

const keyOn = (page: Page) =>
  page.evaluate<string>('JSON.parse(document.getElementById("configuration").textContent).pushKey');

/**
 * Gives the page's service worker a push, as the browser does with a decrypted message, and returns what it shows.
 * Headless Chromium receives no real push, and shows nothing.
 */
async function shownFor(context: BrowserContext, text: string): Promise<unknown> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  return await worker.evaluate(`new Promise((resolve) => {
    self.registration.showNotification = async (title, { data, tag }) => resolve({ title, tag, path: data.path });
    self.dispatchEvent(new PushEvent("push", { data: ${JSON.stringify(text)} }));
  })`);
}

const forbidden = `
  Object.defineProperty(Notification, "permission", { value: "denied" });
  Object.defineProperty(Notification, "requestPermission", { value: async () => "denied" });`;

test("a bidder is told that they were outbid, on their device, until they log out there", async ({
  page: ada,
  context,
  server,
  anotherBrowser,
}) => {
  const service = await openPushService();
  await context.grantPermissions(["notifications"], { origin: server.url });
  const desk = await sellAnItem(server, await anotherBrowser());
  const bea = await anotherBrowser();
  const browser = new FakeBrowser(service, "");
  await subscribesAt(context, browser);
  const { email } = await openAsBidder(ada, server, desk);
  await openAsBidder(bea, server, desk);
  const offer = ada.getByRole("button", { name: "Tell me when I'm outbid" });
  await expect(panel(ada).getByRole("button", { name: "Place bid" })).toBeVisible();
  await expect(offer).toHaveCount(0);
  await placeBid(ada, "150");
  await offer.click();
  await expect(ada.getByText("We'll tell you on this device.")).toBeVisible();

  await placeBid(bea, "1250");
  const [push] = await until(() => browser.received.length > 0 && browser.received);
  if (!push) throw new Error("nothing came");
  senderOf(push, await keyOn(ada));
  const [text = ""] = browser.texts;
  expect(text).not.toContain("1,250");
  expect(await shownFor(context, text)).toEqual({
    title: "You've been outbid on Walnut writing desk",
    tag: push.headers["topic"],
    path: `/product/${desk}`,
  });

  // The choice survives a reload, and the offer isn't made again.
  await ada.reload();
  await expect(panel(ada).getByText("You've been outbid", { exact: true })).toBeVisible();
  await ada.goto("/notifications");
  await expect(ada.getByRole("button", { name: "Stop on this device" })).toBeVisible();
  const outbid = ada.getByRole("checkbox", { name: "You've been outbid, push" });
  await expect(outbid).toBeChecked();

  const subscribed = () =>
    inDatabase(server, ({ services: { database } }) =>
      database.db.$count(pushSubscription, eq(pushSubscription.endpoint, browser.subscription.endpoint)),
    );
  expect(await subscribed()).toBe(1);
  await logOut(ada, email);
  await expect.poll(() => ada.evaluate('localStorage.getItem("push for")')).toBeNull();
  expect(await subscribed()).toBe(0);
  await service.close();
});

test("a user who has blocked notifications reads how to allow them", async ({ page, context, server }) => {
  await searchableStudent(page, server.url);
  await context.addInitScript({ content: forbidden });
  await page.goto("/messages");
  await page.getByRole("button", { name: "Tell me of messages" }).click();
  await expect(page.getByText("set Notifications to Allow")).toBeVisible();
  await page.goto("/notifications");
  await expect(page.getByText("set Notifications to Allow")).toBeVisible();
});

test("the offer of push moves nothing that is already on the page", async ({ page, server }) => {
  await searchableStudent(page, server.url);
  const offer = Promise.withResolvers<void>();
  await page.route(/push-offer/, async (route) => {
    await offer.promise;
    await route.continue();
  });
  await page.goto("/messages");
  const subject = page.getByRole("link", { name: "General questions" });
  await expect(subject).toBeVisible();
  const place = await subject.boundingBox();
  offer.resolve();
  await expect(page.getByRole("button", { name: "Tell me of messages" })).toBeVisible();
  expect(await subject.boundingBox()).toEqual(place);
});

test("a browser without push gets no offer", async ({ page, context, server }) => {
  await searchableStudent(page, server.url);
  await context.addInitScript({ content: "delete window.PushManager;" });
  await page.goto("/messages");
  await expect(page.getByRole("heading", { name: "Messages", level: 1 })).toBeVisible();
  await page.goto("/notifications");
  await expect(page.getByText("This browser can't show news while Wayfare is closed.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "You have a new message, push" })).toBeChecked();
  await page.goto("/messages");
  await expect(page.getByText("General questions").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Tell me of messages" })).toHaveCount(0);
});

test("push is switched off by kind, like mail", async ({ page, server }) => {
  await searchableStudent(page, server.url);
  await page.goto("/notifications");
  const push = page.getByRole("checkbox", { name: "You have a new message, push" });
  const mail = page.getByRole("checkbox", { name: "You have a new message, email" });
  await push.click();
  await expect(push).not.toBeChecked();
  await expect(mail).toBeChecked();
  await page.reload();
  await expect(push).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: "A document was rejected, push" })).toHaveCount(0);
});

/** Holds back the query for the browser's subscription until `find()` is called. */
const heldSubscription = `{
  const original = ServiceWorkerContainer.prototype.getRegistration;
  ServiceWorkerContainer.prototype.getRegistration = async function (...input) {
    await new Promise((resolve) => { window.find = resolve; });
    return await original.apply(this, input);
  };
}`;

test("a log-out before the browser has found its subscription is followed by no call", async ({
  page,
  context,
  server,
}) => {
  const { email } = await searchableStudent(page, server.url);
  await context.addInitScript({ content: heldSubscription });
  await page.goto("/notifications");
  await page.waitForFunction("window.find !== undefined");
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await logOut(page, email);
  await expect(page.getByRole("link", { name: "Login" }).first()).toBeVisible();
  await page.evaluate("window.find()");
  // Any call that the page would send because of it comes before this one.
  await page.evaluate("new Promise((resolve) => setTimeout(resolve)).then(() => fetch('/healthz'))");
  expect(paths).toContain("/healthz");
  expect(paths).not.toContain("/rpc/push/settings");
});
