import type { Route } from "@playwright/test";
import type { ProductState } from "#contract/auctions.ts";
import { panel, placeBid } from "../e2e/auctioneer.ts";
import type { Products } from "./auction-data.ts";
import { finding, watchingStates } from "./market-finding.ts";
import { forSellers } from "./market-selling.ts";
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

/** Answers with a history in which a row's amount doesn't match its hash. */
async function brokenHistory(route: Route): Promise<void> {
  const response = await route.fetch();
  const body = (await response.text()).replace('"amount":18000', '"amount":18050');
  await route.fulfill({ response, body });
}

const aSearch = () => "/auctions?search=";

const forVisitors = [
  ...statesOf("/auctions", "visitor", {
    full: { shows: (page) => page.getByRole("list", { name: "Open auctions" }) },
    // A search is requested by the browser; every other list comes with the page.
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
      before: (page) => page.route("**/live?*", manyWatchers),
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
    "receipt that is none": {
      ...at("winning"),
      open: async (page) => {
        await press(page, "Check this history");
        await page.getByText("Check a saved receipt").click();
        await page.getByLabel("Or its text").fill("A rather long text, but no receipt of a bid");
      },
      shows: (page) => page.getByText("This isn't a receipt of a bid."),
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

/** Answers the live stream with a product's state, with some changes, and more events. */
const liveState =
  (changes: (state: ProductState) => object, more: object = {}) =>
  async (route: Route) => {
    const address = new URL(route.request().url());
    const id = /product:([\w-]+)/.exec(address.searchParams.get("topics") ?? "")?.[1] ?? "";
    const state = await route.fetch({ url: `${address.origin}/auctions/products/${id}`, maxRetries: 2 });
    const product: ProductState = await state.json();
    const update = { now: Date.now(), product: { ...product, ...changes(product) }, ...more };
    await route.fulfill({
      contentType: "text/event-stream",
      body: `event: product:${id}\ndata: ${JSON.stringify(update)}\n\n`,
    });
  };
const manyWatchers = liveState(() => ({}), { watching: 63 });
const extendedEnd = liveState(({ version, endDate }) => ({
  version: version + 1,
  plannedEnd: endDate - 2 * 60_000,
  latestEnd: endDate + 58 * 60_000,
}));

/** Answers as if the viewer led with a limit. */
async function withLimit(route: Route): Promise<void> {
  const response = await route.fetch();
  const { json, ...rest } = await response.json();
  await route.fulfill({ response, json: { ...rest, json: { ...json, ownLimit: 98_765_400 } } });
}

const forBidders = statesOf("/product/:productId", "student", {
  winning: { ...at("winning"), ...badge("You're winning") },
  "winning with a limit": {
    ...at("winning"),
    before: (page) => page.route("**/rpc/auctions/relation", withLimit),
    shows: (page) => panel(page).getByText("We bid for you up to"),
  },
  "stop dialog": {
    ...at("winning"),
    before: (page) => page.route("**/rpc/auctions/relation", withLimit),
    open: (page) => press(page, "Stop"),
    ...dialog("Stop bidding for you?"),
  },
  extended: {
    ...at("outbid"),
    before: (page) => page.route("**/live?*", extendedEnd),
    shows: (page) => panel(page).getByText(/^Extended, ends/),
  },
  "question report dialog": {
    ...at("winning"),
    open: (page) =>
      page
        .getByRole("list", { name: "Questions and answers" })
        .getByRole("button", { name: "Report this question" })
        .first()
        .click(),
    ...dialog("Report this question"),
  },
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
  "second chance": {
    ...at("lost"),
    before: answered("/rpc/sales/ofProduct", salesOfProduct.offered),
    shows: (page) => panel(page).getByRole("button", { name: "Buy it" }),
  },
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
  ...statesOf("/my-bids", "newcomer", {
    empty: { shows: (page) => page.getByText(/^No bids yet/) },
    "strike without bids": {
      before: answered("/rpc/sales/mine", ownSales),
      shows: (page) => page.getByText(/^You have a strike/),
    },
  }),
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
