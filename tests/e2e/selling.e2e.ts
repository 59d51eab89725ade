import type { Locator, Page } from "@playwright/test";
import { itemColumns } from "#domain/item-csv.ts";
import { painted } from "#tests/support/pictures.ts";
import { onSale, openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import { expect, test } from "./story.ts";
import { choose as chooseFiles, type File } from "./uploads.ts";

async function aPicture(name: string, colour: string): Promise<File> {
  return { name, mimeType: "image/jpeg", buffer: await painted(900, 700, colour).jpeg().toBuffer() };
}

const row = (page: Page, name: string): Locator => page.getByRole("listitem", { name });
const announced = (page: Page, text: string) => expect(page.getByText(text, { exact: true })).toBeVisible();
/** Locates the link to a part of the seller's dashboard. */
const part = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts of your products" }).getByRole("link", { name });

test.describe("with refusals", () => {
  test.use({ expectsRefusals: true });

  test("a seller edits until the first bid, the bidder is asked again, and then only additions are possible", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    await signedUp(page, server.url, "student");
    await page.goto("/upload-product");
    await fill(page, "Walnut desk");
    await chooseFiles(page, "Choose files", await aPicture("desk.jpg", "#7a5234"));
    await page.getByRole("main").getByRole("button", { name: "Upload Product" }).click();
    const href = await row(page, "Walnut desk")
      .getByRole("link", { name: "Walnut desk" })
      .getAttribute("href");
    const productId = href?.split("/").at(-1) ?? "";
    const bidder = await anotherBrowser();
    await openAsBidder(bidder, server, productId);
    await expect(panel(bidder).getByLabel("Your bid")).toHaveValue("1250.50");

    await row(page, "Walnut desk").getByRole("link", { name: "Edit" }).click();
    await expect(page.getByLabel("Product name")).toHaveValue("Walnut desk");
    await expect(page.getByRole("listitem", { name: "Picture 1" })).toBeVisible();
    await page.getByLabel("Description").fill("It has a scratch.");
    await page.getByLabel("Starting bid").fill("1300");
    // The page makes room for announcements, and removes it when the focus leaves a field.
    await expect(page.getByText("Product uploaded successfully!", { exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Save changes" }).click();
    await announced(page, "Your changes are saved.");
    await expect(page.getByText("It has a scratch.")).toBeVisible();

    await expect(bidder.getByText("The seller changed this item while you were here.")).toBeVisible();
    await expect(bidder.getByText("It has a scratch.")).toBeVisible();
    await placeBid(bidder, "1400");
    const question = bidder.getByRole("dialog", { name: "Bid R1,400.00?" });
    await expect(question).toContainText("The seller has changed this item.");
    await question.getByRole("button", { name: "Bid R1,400.00" }).click();
    await announced(bidder, "Bid placed successfully!");

    await expect(page.getByRole("link", { name: "Edit", exact: true })).toHaveCount(0);
    await page.goto(`/product/${productId}/edit`);
    await expect(page.getByText("Please add to its description instead.")).toBeVisible();
    await page.getByRole("link", { name: "See the item" }).click();
    await page.getByRole("button", { name: "Add to the description" }).click();
    await page.getByLabel("What you'd like to add").fill("The key is included.");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(bidder.getByText("The key is included.")).toBeVisible();
  });

  test("three rows of a file: two are listed, one is refused with a reason, and a second upload lists none twice", async ({
    page,
    server,
  }) => {
    await signedUp(page, server.url, "agent");
    await page.goto("/product-list");
    const end = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10);
    const line = (name: string, grade: string, picture: string) =>
      [name, "As new", "Home", "Decor", grade, "150", `${end} 18:00`, "", "Cape Town", "99", picture].join(
        ",",
      );
    const csv = [
      Object.values(itemColumns).join(","),
      line("Blue vase", "A", "vase.jpg"),
      line("Odd lamp", "Z", "lamp.jpg"),
      line("Red lamp", "New", "lamp.jpg"),
    ].join("\r\n");
    const file = { name: "items.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    const dialog = page.getByRole("dialog", { name: "List items from a file" });
    async function open() {
      await page.getByRole("button", { name: "List items from a file" }).click();
      await dialog.getByLabel("CSV file").setInputFiles(file);
      await dialog
        .getByLabel("Pictures")
        .setInputFiles([await aPicture("vase.jpg", "#14213d"), await aPicture("lamp.jpg", "#781d2c")]);
      await dialog.getByRole("button", { name: "Preview" }).click();
    }
    await open();
    await expect(dialog.getByRole("listitem")).toHaveText([
      "Row 2Blue vaseReady, with 1 picture",
      "Row 3Odd lampGrade: please fill it in as in the template.",
      "Row 4Red lampReady, with 1 picture",
    ]);
    await dialog.getByRole("button", { name: "List 2 items" }).click();
    await expect(dialog.getByRole("listitem").first()).toContainText("Listed. See the item");
    await expect(dialog.getByRole("listitem").nth(1)).toContainText("Grade: please fill it in");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await expect(row(page, "Blue vase")).toBeVisible();
    await expect(row(page, "Red lamp").locator("img")).not.toHaveJSProperty("naturalWidth", 0);
    await expect(part(page, "Open (2)")).toBeVisible();
    await open();
    await expect(dialog.getByText("Listed before, so it isn't listed again.")).toHaveCount(2);
    await expect(dialog.getByRole("button", { name: /^List \d/ })).toHaveCount(0);
  });
});

async function fill(page: Page, name: string): Promise<void> {
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("Description").fill("Used for one semester.");
  await page.getByLabel("Category", { exact: true }).selectOption("Electronics");
  await page.getByLabel("Subcategory").selectOption("Laptops");
  await page.getByLabel("Grade").selectOption("Grade A");
  await page.getByLabel("Starting bid").fill("1 250,50");
  for (const days of [1, 7, 3]) await chooseEnd(page, days);
}

/** Chooses an end in one press, and expects the current time of day in this many days, give or take a minute. */
async function chooseEnd(page: Page, days: number): Promise<void> {
  const end = page.getByLabel("End date");
  const pressedAt = Date.now();
  await page.getByRole("button", { name: days === 1 ? "1 day" : `${days} days` }).click();
  const isAhead = async () => {
    const date = new Date(await end.inputValue());
    date.setDate(date.getDate() - days);
    return pressedAt - 60_000 <= date.getTime() && date.getTime() <= Date.now() + 60_000;
  };
  await expect.poll(isAhead, `the end is ${days} days ahead`).toBe(true);
}

test("a draft is saved half-typed, previewed, and published with its pictures", async ({ page, server }) => {
  await signedUp(page, server.url, "student");
  await page.goto("/upload-product");
  await page.getByLabel("Product name").fill("Blue laptop");
  await page.getByLabel("Collection in").fill("Cape Town");
  await chooseFiles(page, "Choose files", await aPicture("front.jpg", "#14213d"));
  await page.getByRole("button", { name: "Save as draft" }).click();
  await announced(page, "Draft saved.");
  await expect(part(page, "Drafts (1)")).toHaveAttribute("aria-current", "page");
  await expect(row(page, "Blue laptop").locator("img")).not.toHaveJSProperty("naturalWidth", 0);
  // After a reload, the page only has what the server saved.
  await page.reload();
  await row(page, "Blue laptop").getByRole("link", { name: "Go on" }).click();
  await expect(page.getByLabel("Product name")).toHaveValue("Blue laptop");
  await expect(page.getByLabel("Collection in")).toHaveValue("Cape Town");
  await fill(page, "Blue laptop");
  await page.getByLabel("Courier").fill("99");

  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("dialog", { name: "Preview" });
  await expect(preview.getByText("Collection in Cape Town")).toBeVisible();
  await expect(preview.getByText("Courier R99.00")).toBeVisible();
  await expect(preview.getByText("R1,250.50").first()).toBeVisible();
  await expect(preview.getByRole("img", { name: "Blue laptop" })).not.toHaveJSProperty("naturalWidth", 0);
  await preview.getByRole("button", { name: "Close" }).click();

  await page.getByRole("main").getByRole("button", { name: "Upload Product" }).click();
  await announced(page, "Product uploaded successfully!");
  await expect(row(page, "Blue laptop")).toContainText("Starting bid R1,250.50");
  await expect(part(page, "Drafts (0)")).toBeVisible();
  await page.goto("/auctions?delivery=courier&search=blue%20laptop");
  await expect(page.getByRole("list", { name: "Open auctions" })).toContainText(
    "Collection in Cape Town · Courier R99.00 · Late bids extend it",
  );
});

test("a question is answered in another browser, and a visitor reads both", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  const productId = await sellAnItem(server, seller);
  await seller.goto(`/product/${productId}`);
  await openAsBidder(page, server, productId);
  await page.getByLabel("Ask the seller").fill("Does it fold?");
  await page.getByRole("button", { name: "Send question" }).click();
  await expect(page.getByRole("list", { name: "Your open questions" })).toContainText("Does it fold?");

  const visitor = await anotherBrowser();
  await visitor.goto(`/product/${productId}`);
  await expect(visitor.getByText("No questions have been answered yet.")).toBeVisible();
  await expect(visitor.getByText("Does it fold?")).toHaveCount(0);

  const toAnswer = seller.getByRole("list", { name: "Questions to answer" });
  await expect(toAnswer).toContainText("Does it fold?");
  await toAnswer.getByLabel(/^Your answer to/).fill("Yes, its legs do.");
  await toAnswer.getByRole("button", { name: "Answer" }).click();
  for (const each of [page, visitor]) {
    const answered = each.getByRole("list", { name: "Questions and answers" });
    await expect(answered).toContainText("Does it fold?");
    await expect(answered).toContainText("Yes, its legs do.");
  }
});

test("an item that ended unsold is sold again as a copy with its text, which links back to it", async ({
  page,
  server,
}) => {
  await signedUp(page, server.url, "student");
  const over = new Date(Date.now() - 24 * 3_600_000);
  await onSale(server, page, { state: "unsold", closedAt: over, endDate: over });
  await page.goto("/product-list");
  await part(page, "Ended unsold (1)").click();
  await page.getByRole("button", { name: "Sell again: Walnut writing desk" }).click();
  await expect(page.getByLabel("Product name")).toHaveValue("Walnut writing desk");
  await expect(page.getByLabel("Starting bid")).toHaveValue("150");
  await expect(page.getByLabel("End date")).toHaveValue("");
  await chooseEnd(page, 7);
  await chooseFiles(page, "Choose files", await aPicture("desk.jpg", "#7a5234"));
  await page.getByRole("main").getByRole("button", { name: "Upload Product" }).click();
  await announced(page, "Product uploaded successfully!");
  await row(page, "Walnut writing desk").getByRole("link", { name: "Walnut writing desk" }).click();
  await page.getByRole("link", { name: "listed before" }).click();
  await expect(page.getByText("This auction ended without a sale.")).toBeVisible();
});
