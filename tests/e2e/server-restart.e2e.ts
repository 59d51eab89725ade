import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { painted } from "#tests/support/pictures.ts";
import {
  dataFolder,
  freePort,
  quickHashing,
  type Server,
  startServer,
} from "#tests/support/server-process.ts";
import { headline } from "../../web/content/home.ts";
import { onSale, panel } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { accountMenu, isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";
import { choose } from "./uploads.ts";

type Machine = { url: string; dataDir: string; start(): Promise<void>; stop(): Promise<void> };

/** Opens a story's own server, which it can stop and start at the same address and with the same data. */
async function openMachine(): Promise<Machine & { close(): Promise<void> }> {
  const folder = await dataFolder();
  const port = String(await freePort());
  let server: Server | null = null;
  const machine = {
    url: `http://localhost:${port}`,
    dataDir: folder.path,
    async start() {
      server = await startServer({ DATA_DIR: folder.path, PORT: port }, quickHashing);
    },
    async stop() {
      await server?.stop();
      server = null;
    },
  };
  await machine.start();
  return {
    ...machine,
    async close() {
      await machine.stop();
      await folder.remove();
    },
  };
}

let machine: Awaited<ReturnType<typeof openMachine>>;
test.beforeAll(async () => {
  machine = await openMachine();
});
test.afterAll(() => machine.close());

/** Ignores Chromium's complaints about requests without an answer. */
test.afterEach(({ complaints }) => {
  const others = complaints.filter((complaint) => !/net::ERR_\w+|WebSocket/.test(complaint));
  complaints.splice(0, complaints.length, ...others);
});

const banner = (page: Page) =>
  page.getByRole("status", { name: "Connection" }).filter({ hasText: "Not connected. Prices may be old." });
const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const waiting = (page: Page) => page.getByRole("progressbar", { name: "Loading the page" });

type Press = (page: Page) => Promise<void>;
/**
 * Four kinds of links: in the menu, the footer, the account's list, and a screen. After the last the server stays down
 * for these milliseconds.
 */
const links: readonly [name: string, press: Press, leadsTo: string, milliseconds?: number][] = [
  [
    "of the menu",
    (page) => page.getByRole("banner").getByRole("link", { name: "Auctions" }).click(),
    "Auctions",
  ],
  [
    "of the footer",
    (page) => page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click(),
    "Privacy",
  ],
  [
    "of the account",
    async (page) => {
      await page
        .getByRole("banner")
        .getByRole("button", { name: /@example/ })
        .click();
      await accountMenu(page).getByRole("link", { name: "My bids" }).click();
    },
    "My bids",
  ],
  [
    "of the mark",
    (page) => page.getByRole("banner").getByRole("link", { name: "Wayfare" }).click(),
    headline,
    10_000,
  ],
];

for (const [name, press, leadsTo, milliseconds = 0] of links)
  test(`a half-filled upload outlives a restart in which a link ${name} is pressed`, async ({ page }) => {
    await machine.start().catch(() => {});
    await signedUp(page, machine.url, "student");
    await page.goto(`${machine.url}/upload-product`);
    await page.getByLabel("Product name").fill("Brass lamp");
    const buffer = await painted(900, 700, "#336699").jpeg().toBuffer();
    await choose(page, "Choose files", { name: "lamp.jpg", mimeType: "image/jpeg", buffer });
    await expect(page.getByRole("listitem", { name: "lamp.jpg" })).toBeVisible();
    await isHydrated(page);
    await expect(page.getByRole("banner").getByRole("button", { name: /@example/ })).toBeVisible();

    await machine.stop();
    await press(page);
    await expect(banner(page)).toBeVisible();
    await expect(waiting(page)).toBeVisible();
    await expect(page.getByLabel("Product name")).toHaveValue("Brass lamp");
    await page.getByLabel("Description").fill("Typed without a server");
    await setTimeout(milliseconds);
    await machine.start();
    await expect(title(page, leadsTo)).toBeVisible();
    await expect(banner(page)).toHaveCount(0);
    await page.goBack();
    await expect(page.getByLabel("Product name")).toHaveValue("Brass lamp");
    await expect(page.getByLabel("Description")).toHaveValue("Typed without a server");
    await expect(page.getByRole("listitem", { name: "lamp.jpg" })).toBeVisible();
  });

test("a bidder who does nothing is told of a restart, and keeps the amount", async ({ page, browser }) => {
  const sellersPage = await (await browser.newContext()).newPage();
  await signedUp(sellersPage, machine.url, "student");
  const desk = await onSale(machine, sellersPage);
  await sellersPage.context().close();
  await signedUp(page, machine.url, "student");
  // The code for members only loads after hydration.
  const late = ["bell", "watch-account", "announcements"].map((name) =>
    page.waitForResponse(new RegExp(`/assets/${name}-[^/]*\\.js`)).then((response) => response.finished()),
  );
  await page.goto(`${machine.url}/product/${desk}`);
  await panel(page).getByLabel("Your bid").fill("175");
  await isHydrated(page);
  await Promise.all(late);
  await machine.stop();
  await expect(banner(page)).toBeVisible();
  await page.getByRole("link", { name: "Grade A" }).click();
  await expect(waiting(page)).toBeVisible();
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("175");
  await machine.start();
  await expect(title(page, "Grading guide")).toBeVisible();
  await page.goBack();
  await expect(banner(page)).toHaveCount(0);
  await expect(panel(page).getByLabel("Your bid")).toHaveValue("175");
});
