import type { Page, Route } from "@playwright/test";
import { itemColumns } from "#domain/item-csv.ts";
import { painted } from "#tests/support/pictures.ts";
import { panel, placeBid } from "../e2e/auctioneer.ts";
import { choose } from "../e2e/uploads.ts";
import type { Products } from "./auction-data.ts";
import { ownSales, salesOfProduct } from "./sale-data.ts";
import {
  answered,
  dialog,
  failAt,
  failing,
  goOffline,
  headed,
  press,
  type Screen,
  statesOf,
  waiting,
} from "./screen.ts";

const at = (name: keyof Products): Pick<Screen, "at"> => ({
  at: ({ products }) => `/product/${products[name]}`,
});
const badge = (text: string): Pick<Screen, "shows"> => ({
  shows: (page) => panel(page).getByText(text, { exact: true }),
});
const gone = { complains: "refusals", ...headed("Product not found!") } as const;

/** Chooses two good pictures and an invalid one. */
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
/** Previews a file of one item that can be listed, and one that can't. */
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

/** Answers with a history in which a row says more than its hash does. */
async function brokenHistory(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.text()).replace('"amount":18000', '"amount":18050');
  await route.fulfill({ response, body });
}

const aSearch = () => "/auctions?search=";

const forVisitors = [
  ...statesOf("/auctions", "visitor", {
    full: { shows: (page) => page.getByRole("list", { name: "Open auctions" }) },
    // The browser itself asks for a search; everything else comes with the page.
    loading: { at: aSearch, ...waiting("/rpc/auctions/list", "Loading auctions") },
    failing: { at: aSearch, ...failing("/rpc/auctions/list") },
    "nothing for sale": {
      at: aSearch,
      before: answered("/rpc/auctions/list", {
        now: new Date("2026-11-21T12:00:00.000Z"),
        products: [],
        next: null,
        count: 0,
        corrected: null,
      }),
      shows: (page) => page.getByRole("heading", { name: "No auctions yet" }),
    },
    "nothing found": {
      at: () => "/auctions?search=unicorn&category=electronics&subcategory=Phones&grade=New",
      shows: (page) => page.getByRole("heading", { name: "Nothing found" }),
    },
    offline: {
      open: async (page) => {
        await page.getByRole("list", { name: "Open auctions" }).waitFor();
        await goOffline(page);
      },
      shows: (page) => page.getByRole("list", { name: "Open auctions" }),
    },
  }),
  ...statesOf("/product/:productId", "visitor", {
    "open, with pictures": {
      ...at("winning"),
      shows: (page) => page.getByRole("link", { name: "Log in to bid" }),
    },
    "enlarged picture": {
      ...at("winning"),
      open: (page) => press(page, "Enlarge picture"),
      ...dialog("Walnut writing desk, picture 1"),
    },
    "all pictures": {
      ...at("winning"),
      before: (page) => page.setViewportSize({ width: 1440, height: 900 }),
      open: async (page) => {
        await press(page, "Enlarge picture");
        await page.getByRole("dialog").getByRole("button", { name: "Show all pictures" }).click();
      },
      shows: (page) => page.getByRole("list", { name: "All pictures" }),
    },
    "price in numbers": {
      ...at("winning"),
      open: (page) => press(page, "Show the numbers"),
      shows: (page) => page.getByRole("table", { name: "Price over time" }),
    },
    crowd: {
      ...at("winning"),
      before: (page) => page.route("**/live?*", tellOfCrowd),
      shows: (page) => page.getByText("people are watching"),
    },
    "no bids": { ...at("fresh"), shows: (page) => page.getByText("No bids yet.") },
    "history checked": {
      ...at("winning"),
      open: (page) => press(page, "Check this history"),
      shows: (page) => page.getByText("All 5 rows hold"),
    },
    "history broken": {
      ...at("winning"),
      before: (page) => page.route("**/history", brokenHistory),
      open: (page) => press(page, "Check this history"),
      shows: (page) => page.getByText("Row 2 is wrong"),
    },
    unsold: { ...at("unsold"), ...badge("Not sold") },
    "ended, with similar items": {
      ...at("unsold"),
      shows: (page) => page.getByRole("heading", { name: "Similar items on sale" }),
    },
    "voided bids": { ...at("voided"), shows: (page) => page.getByText(/^An administrator voided/) },
    "never was": { at: () => "/product/4f1c", ...gone },
    withdrawn: { ...at("withdrawn"), ...gone },
    removed: { ...at("removed"), ...gone },
  }),
  ...statesOf("/grading-guide", "visitor", { full: headed("Grading guide") }),
  ...statesOf("/auction-rules", "visitor", { full: headed("Auction rules") }),
];

const finding = [
  ...statesOf("/auctions", "visitor", {
    "narrowed, by its seller": {
      at: ({ products }) =>
        `/auctions?sellerOf=${products.fresh}&priceFrom=100&priceTo=990000000&endsWithin=7d&bids=none`,
      shows: (page) => page.getByRole("list", { name: "Filters in use" }),
    },
    "told apart by fit": {
      at: () => "/auctions?search=collect",
      shows: (page) => page.getByRole("heading", { name: "Mentioned" }),
    },
  }),
  ...statesOf("/auctions", "student", {
    "cards with stars": {
      at: () => "/auctions?search=collect+leeds",
      shows: (page) => page.getByText("You're winning").first(),
    },
    "save dialog": {
      at: () =>
        "/auctions?search=a-rather-long-word-that-nobody-has&category=electronics&subcategory=Phones&grade=New&priceTo=990000000",
      open: (page) => press(page, "Save this search"),
      ...dialog("Save this search"),
    },
  }),
  ...statesOf("/auctions", "seller", {
    "own cards": {
      at: () => "/auctions?search=collect+leeds",
      shows: (page) => page.getByText("Your item", { exact: true }).first(),
    },
  }),
];

const atWatching = () => "/my-bids?show=watching";
const atSearches = () => "/my-bids?show=searches";
const watchingStates = [
  ...statesOf("/my-bids", "student", {
    watching: { at: atWatching, shows: (page) => page.getByRole("button", { name: /^Stop watching Road/ }) },
    "watching, loading": { at: atWatching, ...waiting("/rpc/watching/items", "Loading what you watch") },
    "watching, failing": { at: atWatching, ...failing("/rpc/watching/items") },
    searches: { at: atSearches, shows: (page) => page.getByText("1 new item") },
    "searches, loading": { at: atSearches, ...waiting("/rpc/watching/searches", "Loading your searches") },
    "searches, failing": { at: atSearches, ...failing("/rpc/watching/searches") },
  }),
  ...statesOf("/my-bids", "newcomer", {
    "nothing watched": {
      at: atWatching,
      shows: (page) => page.getByText("You aren't watching anything yet."),
    },
    "no searches": { at: atSearches, shows: (page) => page.getByText("No saved searches yet.") },
  }),
];
/** Answers the event stream with the product's state and a number of watchers. */
async function tellOfCrowd(route: Route): Promise<void> {
  const address = new URL(route.request().url());
  const id = /product:([\w-]+)/.exec(address.searchParams.get("topics") ?? "")?.[1] ?? "";
  const state = await route.fetch({ url: `${address.origin}/auctions/products/${id}`, maxRetries: 2 });
  const news = { now: Date.now(), product: await state.json(), watching: 63 };
  await route.fulfill({
    contentType: "text/event-stream",
    body: `event: product:${id}\ndata: ${JSON.stringify(news)}\n\n`,
  });
}

const forBidders = statesOf("/product/:productId", "student", {
  winning: { ...at("winning"), ...badge("You're winning") },
  outbid: { ...at("outbid"), ...badge("You've been outbid") },
  "push forbidden": {
    ...at("outbid"),
    before: (page) =>
      page.addInitScript(
        'Object.defineProperty(Notification, "requestPermission", { value: async () => "denied" })',
      ),
    open: (page) => press(page, "Tell me when I'm outbid"),
    shows: (page) => page.getByText("set Notifications to Allow"),
  },
  won: { ...at("won"), ...badge("You won") },
  lost: { ...at("lost"), ...badge("You didn't win") },
  "withdrawal dialog": {
    ...at("winning"),
    open: (page) => press(page, "Withdraw my bids"),
    ...dialog("Withdraw your bids?"),
  },
  "reported sale": {
    ...at("won"),
    before: answered("/rpc/sales/ofProduct", salesOfProduct.reported),
    shows: (page) => panel(page).getByRole("button", { name: "It will be done…" }),
  },
  "promise dialog": {
    ...at("won"),
    before: answered("/rpc/sales/ofProduct", salesOfProduct.reported),
    open: (page) => press(page, "It will be done…"),
    ...dialog("By when?"),
  },
  "bid asked about": {
    ...at("winning"),
    open: (page) => placeBid(page, "9000"),
    ...dialog("Bid R9,000.00?"),
  },
  "report dialog": {
    ...at("winning"),
    open: (page) => press(page, "Report this item"),
    ...dialog("Report this item"),
  },
  "bid refused": { ...at("outbid"), open: (page) => placeBid(page, "1"), ...dialog("Bid Error") },
  "bid failing": {
    ...at("outbid"),
    before: failAt("/rpc/auctions/bid"),
    open: (page) => placeBid(page, "9000"),
    complains: "refusals",
    ...dialog("Bid Error"),
  },
});

const forSellers = [
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
      shows: (page) => page.getByRole("button", { name: "Sell Dining table again" }),
    },
    sold: {
      at: () => "/product-list?tab=sold",
      shows: (page) => page.getByRole("button", { name: "Sell Reading lamp again" }),
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

const myBids = [
  ...statesOf("/my-bids", "student", {
    full: { shows: (page) => page.getByRole("region", { name: "Winning" }) },
    "second chance": {
      before: answered("/rpc/sales/mine", ownSales),
      shows: (page) => page.getByRole("region", { name: "Second chances" }),
    },
    loading: waiting("/rpc/auctions/myBids", "Loading your bids"),
    failing: failing("/rpc/auctions/myBids"),
  }),
  ...statesOf("/my-bids", "newcomer", { empty: { shows: (page) => page.getByText(/^No bids yet/) } }),
];

/** The auction marketplace. */
export const marketScreens: readonly Screen[] = [
  ...forVisitors,
  ...finding,
  ...forBidders,
  ...forSellers,
  ...myBids,
  ...watchingStates,
];
