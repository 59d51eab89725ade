import { dialog, failing, press, statesOf, waiting } from "./screen.ts";

/** Finding and watching items. */
export const finding = [
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
export const watchingStates = [
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
