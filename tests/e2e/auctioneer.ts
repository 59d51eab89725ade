import type { Page, Route } from "@playwright/test";
import { type Database, openDatabase } from "#server/platform/database.ts";
import { runningPostgres } from "#server/platform/embedded-postgres.ts";
import { endAt, product } from "#tests/support/auctions.ts";
import { idAt, type Person, signedUp } from "./people.ts";
import type { Server } from "./server.ts";

type Store = { services: { database: Database } };

/** Works in the database of a running server; every page sees the result. */
export async function inDatabase<Result>(
  { dataDir }: Pick<Server, "dataDir">,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const address = await runningPostgres(dataDir);
  if (!address) throw new Error(`no server runs on ${dataDir}`);
  const database = openDatabase(address, () => {});
  try {
    return await work({ services: { database } });
  } finally {
    await database.close();
  }
}

/** Puts a writing desk on sale for a day from R150, as the person signed in at this page's browser; returns its id. */
export async function onSale(
  server: Pick<Server, "url" | "dataDir">,
  sellersPage: Page,
  changes: Parameters<typeof product>[2] = {},
): Promise<string> {
  const id = await idAt(sellersPage, server.url);
  return await inDatabase(server, (store) => product(store, { id }, changes));
}

/** Signs up a seller at this page and puts a writing desk on sale; returns its id. */
export async function sellAnItem(server: Server, sellersPage: Page): Promise<string> {
  await signedUp(sellersPage, server.url, "student");
  return await onSale(server, sellersPage);
}

/** Sets the end of an auction to this many milliseconds from now. */
export const endsIn = (server: Server, productId: string, milliseconds: number): Promise<void> =>
  inDatabase(server, (store) => endAt(store, productId, new Date(Date.now() + milliseconds)));

/** Opens the product's page as a new person who may bid. */
export async function openAsBidder(page: Page, server: Server, productId: string): Promise<Person> {
  const person = await signedUp(page, server.url, "student");
  await page.goto(`/product/${productId}`);
  return person;
}

/** Locates the bid form and the facts next to it. */
export const panel = (page: Page) => page.getByRole("region", { name: "Bidding" });
/** Locates the entries of the bid history, newest first. */
export const bids = (page: Page) => page.getByRole("list", { name: "Bids" }).getByRole("listitem");

export async function placeBid(page: Page, amount: string): Promise<void> {
  await panel(page).getByLabel("Your bid").fill(amount);
  await panel(page).getByRole("button", { name: "Place bid" }).click();
}

/** Lets a call reach the server, and loses its answer. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
}
