import type { Page } from "@playwright/test";
import { itemColumns } from "#domain/item-csv.ts";
import { painted } from "#tests/support/pictures.ts";
import { panel } from "../e2e/auctioneer.ts";
import { choose } from "../e2e/uploads.ts";
import type { Products } from "./auction-data.ts";
import { figuresOfSales, ownSales, salesOfProduct, soldProducts } from "./sale-data.ts";
import { answered, dialog, failing, headed, press, type Screen, statesOf, waiting } from "./screen.ts";

const at = (name: keyof Products): Pick<Screen, "at"> => ({
  at: ({ products }) => `/product/${products[name]}`,
});
const badge = (text: string): Pick<Screen, "shows"> => ({
  shows: (page) => panel(page).getByText(text, { exact: true }),
});

/** Chooses two valid pictures and an invalid one. */
async function choosePictures(page: Page): Promise<void> {
  const picture = async (name: string, colour: string) => ({
    name,
    mimeType: "image/jpeg",
    buffer: await painted(900, 700, colour).jpeg().toBuffer(),
  });
  const broken = {
    name: "a-file-with-a-rather-long-name-that-is-no-picture.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from("none"),
  };
  await choose(
    page,
    "Choose files",
    await picture("front.jpg", "#7a5234"),
    await picture("side.jpg", "#0e5a4e"),
    broken,
  );
}

async function fillProduct(page: Page): Promise<void> {
  await page.getByLabel("Product name").fill("Walnut writing desk");
  await page.getByLabel("Description").fill("Solid walnut, two drawers.");
  await page.getByLabel("Category", { exact: true }).selectOption("Home");
  await page.getByLabel("Subcategory").selectOption("Furniture");
  await page.getByLabel("Grade").selectOption("Grade A");
  await page.getByLabel("Starting bid").fill("1250.50");
  const soon = new Date(Date.now() + 3 * 24 * 3_600_000);
  await page.getByLabel("End date").fill(soon.toISOString().slice(0, 16));
}
/** Previews a file with one valid and one invalid item. */
async function previewFile(page: Page): Promise<void> {
  await press(page, "List items from a file");
  const end = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10);
  const line = (name: string, grade: string) =>
    [name, "As new", "Home", "Decor", grade, "150", `${end} 18:00`, "", "", "99", "front.jpg"].join(",");
  const long = "Mirrorless camera with two lenses and a bag and everything that came in the box";
  const csv = [Object.values(itemColumns).join(","), line("Vase", "A"), line(long, "Z")].join("\r\n");
  const file = page.getByRole("dialog");
  await file
    .getByLabel("CSV file")
    .setInputFiles({ name: "items.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  const buffer = await painted(90, 70, "#7a5234").jpeg().toBuffer();
  await file.getByLabel("Pictures").setInputFiles({ name: "front.jpg", mimeType: "image/jpeg", buffer });
  await press(page, "Preview");
}
const upload = (page: Page) => press(page, "Upload Product");

/** Selling items. */
export const forSellers = [
  ...statesOf("/product/:productId", "seller", {
    "its seller": { ...at("winning"), ...badge("Your product") },
    "question to answer": {
      ...at("fresh"),
      shows: (page) => page.getByRole("list", { name: "Questions to answer" }),
    },
    "add to the description": {
      ...at("winning"),
      open: (page) => press(page, "Add to the description"),
      ...dialog("Add to the description"),
    },
    sold: { ...at("won"), shows: (page) => panel(page).getByText("Handover awaited") },
    "report dialog": {
      ...at("won"),
      before: answered("/rpc/sales/ofProduct", salesOfProduct.awaiting),
      open: (page) => press(page, "Something is wrong…"),
      ...dialog("What is wrong?"),
    },
    "decided sale": {
      ...at("won"),
      before: answered("/rpc/sales/ofProduct", salesOfProduct.decided),
      shows: (page) => panel(page).getByText(/^An administrator decided/),
    },
    "sale that fell through": {
      ...at("won"),
      before: answered("/rpc/sales/ofProduct", salesOfProduct.fellThrough),
      shows: (page) => panel(page).getByRole("button", { name: "Offer it" }),
    },
    "void dialog": {
      ...at("winning"),
      open: (page) => press(page, /^Ask to void the bids of/),
      ...dialog("Ask to void bids"),
    },
    "delete dialog": {
      ...at("winning"),
      open: (page) => press(page, /^Delete/),
      ...dialog("Delete product"),
    },
  }),
  ...statesOf("/product/:productId", "admin", {
    "removal dialog": {
      ...at("fresh"),
      open: (page) => press(page, "Remove as admin"),
      ...dialog("Remove product"),
    },
  }),
  ...statesOf("/product/:productId/edit", "seller", {
    full: {
      at: ({ products }) => `/product/${products.fresh}/edit`,
      shows: (page) => page.getByRole("button", { name: "Save changes" }),
    },
    "has bids": {
      at: ({ products }) => `/product/${products.winning}/edit`,
      shows: (page) => page.getByText("Please add to its description instead."),
    },
  }),
  ...statesOf("/product-list", "seller", {
    "ended unsold": {
      at: () => "/product-list?tab=unsold",
      shows: (page) => page.getByRole("button", { name: "Sell again: Dining table" }),
    },
    sold: {
      at: () => "/product-list?tab=sold",
      shows: (page) => page.getByRole("button", { name: "Sell again: Reading lamp" }),
    },
    "sold, in every state": {
      at: () => "/product-list?tab=sold",
      before: async (page) => {
        await answered("/rpc/auctions/own", soldProducts)(page);
        await answered("/rpc/auctions/ownFigures", figuresOfSales)(page);
      },
      shows: (page) => page.getByText("Disputed", { exact: true }),
    },
    drafts: {
      at: () => "/product-list?tab=drafts",
      shows: (page) => page.getByRole("listitem", { name: "A lamp with a green shade" }),
    },
    "rows of a file": { open: previewFile, shows: (page) => page.getByText("Ready, with 1 picture") },
    full: { shows: (page) => page.getByRole("listitem", { name: "Walnut writing desk" }) },
    loading: waiting("/rpc/auctions/own", "Loading your products"),
    failing: failing("/rpc/auctions/own"),
  }),
  ...statesOf("/product-list", "newcomer", {
    empty: { shows: (page) => page.getByRole("link", { name: "Upload your first product" }) },
    strike: {
      before: answered("/rpc/sales/mine", ownSales),
      shows: (page) => page.getByText(/^You have a strike/),
    },
  }),
  ...statesOf("/upload-product", "newcomer", {
    empty: headed("Upload Product"),
    "error modal": { open: upload, ...dialog("Upload Error") },
    "errors beside fields": {
      open: async (page) => {
        await upload(page);
        await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
      },
      shows: (page) => page.getByText("Please fill in all fields."),
    },
    preview: {
      open: async (page) => {
        await fillProduct(page);
        await page.getByLabel("Collection in").fill("Cape Town");
        await press(page, "Preview");
      },
      ...dialog("Preview"),
    },
    "chosen pictures": {
      open: choosePictures,
      shows: (page) => page.getByRole("listitem", { name: "front.jpg" }),
    },
    "uploaded and refused pictures": {
      open: async (page) => {
        await fillProduct(page);
        await choosePictures(page);
        await upload(page);
        await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
      },
      shows: (page) => page.getByText("This isn't a JPEG, PNG or WebP picture."),
      complains: "refusals",
    },
  }),
];
