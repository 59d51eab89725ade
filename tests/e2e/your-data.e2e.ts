import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { user } from "#server/features/account/tables.ts";
import { auctionProduct } from "#server/features/auctions/tables.ts";
import { fullProfile } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { unzip } from "#tests/support/unzip.ts";
import { endsIn, inDatabase, onSale, panel, placeBid } from "./auctioneer.ts";
import { call } from "./call.ts";
import { everyRow, nightPasses } from "./nightly.ts";
import { idAt, signedInAsAdmin, signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { accountMenu, isHydrated, logIn } from "./steps.ts";
import { expect, test } from "./story.ts";
import { aFile, choose, fileRow } from "./uploads.ts";

/** Words that only occur in this student's own fields, and in no other story. */
const canaries = {
  middleName: "Zaunkoenig",
  idNumber: "NIN-ZAUN-1",
  passportNumber: "P0ZAUNKO",
  addressLine1: "7 Zaunkoenig Grove",
  city: "Zaunkoenigdorf",
  dateOfBirth: "1986-04-03",
};

/** Returns the words that any row or any file of the store still contains. */
async function foundIn(server: Server, words: readonly string[]): Promise<string[]> {
  const rows = (await everyRow(server)).toLowerCase();
  const folder = join(server.dataDir, "files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const files = await Promise.all(paths.map((path) => readFile(path, "latin1")));
  const all = [rows, ...paths, ...files].map((text) => text.toLowerCase());
  return words.filter((word) => all.some((text) => text.includes(word.toLowerCase())));
}

const dueNow = (server: Server, id: string) =>
  inDatabase(server, ({ services: { database } }) =>
    database.db
      .update(user)
      .set({ deletionDueAt: new Date(Date.now() - 1000) })
      .where(eq(user.id, id)),
  );

const soldLongAgo = (server: Server, item: string) =>
  inDatabase(server, ({ services: { database } }) =>
    database.db
      .update(auctionProduct)
      .set({ closedAt: new Date(Date.now() - 14 * 24 * 3_600_000) })
      .where(eq(auctionProduct.id, item)),
  );

test("a student downloads their data, deletes the account, changes their mind, and deletes it finally", async ({
  page,
  server,
  anotherBrowser,
  mailedLink,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const item = await onSale(server, seller);
  const ada = await signedUp(page, server.url, "student");
  const id = await idAt(page, server.url);
  const profile = { ...fullProfile, ...canaries, lastName: ada.lastName };
  await call(page.request, server.url, "profile/save", { version: 0, profile });
  await page.goto("/student-documents");
  // Other stories leave files on this server too.
  const mark = `%${randomUUID()}`;
  const whole = pdf(300_000);
  const cv = Buffer.concat([whole.subarray(0, 9), Buffer.from(`${mark}\n`), whole.subarray(9)]);
  await choose(page, "Choose files", aFile("cv.pdf", cv));
  await page.getByRole("button", { name: "Upload 1 file" }).click();
  await expect(fileRow(page, "cv.pdf")).toContainText("Uploaded");
  await page.goto(`/product/${item}`);
  await placeBid(page, "400");
  await expect(page.getByRole("list", { name: "Bids" }).getByRole("listitem")).toHaveCount(1);

  // The zip has all of it.
  await page.getByRole("banner").getByRole("button", { name: ada.email, exact: true }).click();
  await accountMenu(page).getByRole("link", { name: "Your data" }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const download = await downloading;
  await expect(page.getByRole("status", { name: "Download" })).toContainText("1 file, ");
  expect(download.suggestedFilename()).toBe("Wayfare - my data.zip");
  const zip = unzip(await readFile(await download.path()));
  expect(Object.keys(zip)).toEqual(["README.txt", "data.json", "documents/CV.pdf"]);
  expect(zip["documents/CV.pdf"]?.equals(cv)).toBe(true);
  const data = JSON.parse(zip["data.json"]?.toString() ?? "");
  expect(data.profile).toMatchObject([canaries]);
  expect(data.bids).toMatchObject([{ amountInCents: 40_000 }]);

  const deleteAccount = async () => {
    await page.getByRole("main").getByRole("button", { name: "Delete my account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete my account" }).click();
    await expect(page).toHaveURL("/login");
    await expect(page.getByText(/^Your account will be deleted on /)).toBeVisible();
  };
  await deleteAccount();
  await mailedLink(ada.email, /^Your account will be deleted on /);

  // A night within the seven days changes nothing, and a login keeps the account.
  await nightPasses(server);
  await logIn(page, ada);
  await expect(page.getByRole("heading", { level: 1, name: "Hello, Ada" })).toBeVisible();
  await page
    .getByRole("banner")
    .getByRole("button", { name: /Notifications/ })
    .click();
  await expect(page.getByText("Because you logged in, we won't delete your account.").first()).toBeVisible();
  const words = [...Object.values(canaries), ada.email, id, mark];
  expect(await foundIn(server, words)).toEqual(words);

  await page.goto("/your-data");
  await deleteAccount();
  // An admin sees it coming.
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  await office.goto("/admin/retention");
  await expect(office.getByRole("table", { name: "Deletion requests" })).toContainText(ada.email);
  await dueNow(server, id);
  // The bid is binding: it wins, and the seller can reach the buyer for two weeks.
  await endsIn(server, item, 0);
  await seller.goto(`/product/${item}`);
  await expect(panel(seller).getByText("they're closing their account")).toBeVisible({ timeout: 60_000 });
  await expect(panel(seller).getByRole("link", { name: ada.email })).toBeVisible();
  await nightPasses(server);
  expect(await foundIn(server, words)).toEqual(words);
  await soldLongAgo(server, item);
  await nightPasses(server);

  // Only bids and the audit log still refer to the student, by an id that leads nowhere.
  expect(await foundIn(server, words)).toEqual([id]);
  await office.reload();
  // Other stories' requests may be listed.
  await isHydrated(office);
  await expect(office.getByText(ada.email)).toHaveCount(0);
  await seller.goto(`/product/${item}`);
  await expect(seller.getByRole("list", { name: "Bids" }).getByRole("listitem")).toHaveCount(1);
});

test.describe("afterwards", () => {
  test.use({ expectsRefusals: true });

  test("the password of an erased account opens nothing, and the address can sign up again", async ({
    page,
    server,
  }) => {
    const ada = await signedUp(page, server.url, "student");
    const id = await idAt(page, server.url);
    await call(page.request, server.url, "account/requestDeletion", {});
    await dueNow(server, id);
    await nightPasses(server);
    await logIn(page, ada);
    await expect(page.getByRole("dialog", { name: "Login Error" })).toContainText("auth/invalid-credential");
    await call(page.request, server.url, "account/signUp", { ...ada, confirmPassword: ada.password });
    expect(await idAt(page, server.url)).not.toBe(id);
  });
});
