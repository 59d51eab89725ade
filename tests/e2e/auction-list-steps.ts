import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { onSale } from "./auctioneer.ts";
import { signedUp } from "./people.ts";
import type { Server } from "./server.ts";

export const cards = (page: Page): Locator =>
  page.getByRole("list", { name: "Open auctions" }).getByRole("listitem");
export const searchBox = (page: Page): Locator => page.getByRole("searchbox", { name: "Search auctions" });

type Offer = NonNullable<Parameters<typeof onSale>[2]>;

/** Creates products with unique names; returns the common part of the names. */
export async function offered(server: Server, sellersPage: Page, offers: readonly Offer[]): Promise<string> {
  await signedUp(sellersPage, server.url, "student");
  const mark = randomUUID().slice(0, 8);
  const sell = (offer: Offer) =>
    onSale(server, sellersPage, { ...offer, productName: `${offer.productName} ${mark}` });
  await Promise.all(offers.map(sell));
  return mark;
}
