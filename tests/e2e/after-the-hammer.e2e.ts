import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { offerTexts } from "#domain/second-chance.ts";
import { sale } from "#server/features/auctions/sales/tables.ts";
import { fellThrough, moveClose, passTime, soldItem } from "#tests/support/sales.ts";
import { bids, endsIn, inDatabase, onSale, openAsBidder, panel, placeBid } from "./auctioneer.ts";
import { call } from "./call.ts";
import { idAt, signedInAsAdmin, signedUp } from "./people.ts";
import type { Server } from "./server.ts";
import { expect, test } from "./story.ts";

/** Ends, and decisions after a deadline without an answer, take some seconds. */
const longer = { timeout: 120_000 };

/** Makes the time pass for which a report waits. */
const passDeadline = (server: Server, productId: string) =>
  inDatabase(server, async (store) => {
    const [row] = await store.services.database.db.select().from(sale).where(eq(sale.productId, productId));
    await passTime(store, row?.id ?? "");
  });
const hoursAfter = (server: Server, productId: string, hours: number) =>
  inDatabase(server, (store) => moveClose(store, productId, hours));

const handover = (page: Page) => page.getByRole("region", { name: "Handover" });

test("a buyer never answers: the sale falls through, and the next bidder buys it at a fair price", async ({
  page: lerato,
  server,
  anotherBrowser,
}) => {
  const [vanished, sipho] = [await anotherBrowser(), await anotherBrowser()];
  await signedUp(lerato, server.url, "agent");
  const phone = await onSale(server, lerato);
  await openAsBidder(sipho, server, phone);
  await placeBid(sipho, "610");
  await expect(panel(sipho).getByText("You're winning", { exact: true })).toBeVisible();
  await openAsBidder(vanished, server, phone);
  await placeBid(vanished, "700");
  await expect(panel(vanished).getByText("You're winning", { exact: true })).toBeVisible();
  await endsIn(server, phone, 0);
  await lerato.goto(`/product/${phone}`);
  await expect(panel(lerato).getByText("Sold for", { exact: true })).toBeVisible(longer);
  await hoursAfter(server, phone, 80);
  await lerato.reload();

  await handover(lerato).getByRole("button", { name: "Something is wrong…" }).click();
  await lerato.getByRole("dialog").getByRole("button", { name: "Not paid" }).click();
  await expect(handover(lerato).getByText(/^You say: not paid\./)).toBeVisible();
  await vanished.goto("/my-bids");
  await expect(vanished.getByText(/says: not paid\. Please answer by/)).toBeVisible();
  await expect(vanished.getByRole("button", { name: "That isn't true" })).toBeVisible();
  await passDeadline(server, phone);
  await expect(handover(lerato).getByText("Fell through", { exact: true })).toBeVisible(longer);
  await expect(vanished.getByText(/You have a strike/)).toBeVisible(longer);
  await vanished.goto("/product-list");
  await expect(vanished.getByText(/You have a strike/)).toBeVisible();

  await expect(handover(lerato).getByText(/is next, for R150\.00/)).toBeVisible();
  await handover(lerato).getByRole("button", { name: "Offer it" }).click();
  await expect(handover(lerato).getByText(/^Offered to .* for R150\.00/)).toBeVisible();
  await expect(panel(sipho).getByRole("button", { name: "Buy it" })).toBeVisible();
  await sipho.goto("/my-bids");
  const offer = sipho.getByRole("listitem", { name: "Second chance: Walnut writing desk" });
  await expect(offer).toContainText("R150.00");
  await expect(offer).toContainText("Wayfare never asks for money.");
  await offer.getByRole("button", { name: "Buy it" }).click();
  await sipho.getByRole("dialog").getByRole("button", { name: "Buy it" }).click();
  await expect(sipho.getByRole("region", { name: "Won" }).getByText("Walnut writing desk")).toBeVisible();
  await expect(handover(lerato).getByText("Handover awaited", { exact: true })).toBeVisible();
  await expect(panel(lerato).getByText("R150.00").first()).toBeVisible();
});

test("an offer disappears immediately when its seller is shut out, and its notification leads to an explanation", async ({
  page: bidder,
  server,
  anotherBrowser,
}) => {
  const [seller, buyer, office] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  for (const page of [seller, buyer, bidder]) await signedUp(page, server.url, "student");
  const idOf = async (page: Page) => ({ id: await idAt(page, server.url) });
  const parties = { seller: await idOf(seller), buyer: await idOf(buyer) };
  const other = await idOf(bidder);
  const productId = await inDatabase(server, async (store) => {
    const sold = await soldItem(store, { ...parties, others: [[other, 42_000]] });
    await fellThrough(store, sold.saleId);
    return sold.productId;
  });
  await call(seller.request, server.url, "sales/offer", { productId, amount: 10_000 });
  await bidder.goto("/my-bids");
  const offer = bidder.getByRole("listitem", { name: "Second chance: Walnut writing desk" });
  await expect(offer).toBeVisible();
  await signedInAsAdmin(office, server.url);
  await call(office.request, server.url, "students/setDisabled", {
    userId: parties.seller.id,
    disabled: true,
  });
  await expect(offer).toHaveCount(0);
  await expect(bidder.getByText(offerTexts.noneOpen)).toHaveCount(0);
  await bidder.getByRole("banner").getByRole("button", { name: "Notifications" }).click();
  await bidder.getByRole("link", { name: /A second chance to buy Walnut writing desk/ }).click();
  await expect(bidder.getByText(offerTexts.noneOpen)).toBeVisible();
});

test("seller and buyer both confirm the handover, and each sees it immediately", async ({
  page: buyer,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller);
  await openAsBidder(buyer, server, desk);
  await placeBid(buyer, "150");
  await expect(panel(buyer).getByText("You're winning", { exact: true })).toBeVisible();
  await endsIn(server, desk, 0);
  await expect(handover(buyer).getByText("Handover awaited", { exact: true })).toBeVisible(longer);
  await seller.goto(`/product/${desk}`);
  await handover(seller).getByRole("button", { name: "Handed over" }).click();
  await expect(handover(buyer).getByText(/says that it was handed over\.$/)).toBeVisible();
  await buyer.goto("/my-bids");
  await buyer.getByRole("button", { name: "Handed over" }).click();
  await expect(handover(seller).getByText("Both of you say that it was handed over.")).toBeVisible();
});

test("a slip is withdrawn, and another browser sees price and leader change", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const [bea, seller] = [await anotherBrowser(), await anotherBrowser()];
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller);
  await openAsBidder(bea, server, desk);
  await placeBid(bea, "200");
  await expect(panel(bea).getByText("You're winning", { exact: true })).toBeVisible();
  await openAsBidder(ada, server, desk);
  await placeBid(ada, "2500");
  await ada.getByRole("dialog").getByRole("button", { name: /^Bid/ }).click();
  await expect(panel(bea).getByText("You've been outbid", { exact: true })).toBeVisible();
  await panel(ada).getByRole("button", { name: "Withdraw my bids" }).click();
  await ada.getByLabel("What I meant to bid").fill("150");
  await ada.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(
    ada.getByText("Your bids were withdrawn. R150.00 is no longer enough, so it wasn't bid."),
  ).toBeVisible();
  await expect(panel(bea).getByText("You're winning", { exact: true })).toBeVisible();
  await expect(panel(bea).getByText("R200.00").first()).toBeVisible();
  await expect(bids(bea).first()).toContainText("withdrew their bids.");
  await expect(bids(bea).nth(1)).toContainText("withdrawn");
  await expect(panel(ada).getByText("Your bids don't count", { exact: true })).toBeVisible();
});

test("a seller asks to void bids, and the history shows an admin's reason", async ({
  page: seller,
  server,
  anotherBrowser,
}) => {
  const [friend, office] = [await anotherBrowser(), await anotherBrowser()];
  await signedUp(seller, server.url, "student");
  const desk = await onSale(server, seller, { endDate: new Date(Date.now() + 2 * 3_600_000) });
  await openAsBidder(friend, server, desk);
  await placeBid(friend, "900");
  await seller.goto(`/product/${desk}`);
  await seller.getByRole("button", { name: /^Ask to void the bids of/ }).click();
  await seller.getByLabel("Reason").fill("Wrote to me that it was a joke.");
  await seller.getByRole("dialog").getByRole("button", { name: "Ask", exact: true }).click();
  await signedInAsAdmin(office, server.url);
  await office.goto("/admin/disputes");
  const request = office.getByRole("listitem").filter({ hasText: "Wrote to me that it was a joke." });
  await request.getByRole("button", { name: "Void the bids" }).click();
  await office.getByLabel("Reason").fill("The bidder says that it was a joke.");
  await office.getByRole("dialog").getByRole("button", { name: "Void", exact: true }).click();
  await expect(bids(friend).first()).toContainText("Reason: The bidder says that it was a joke.");
  await expect(panel(friend).getByText("The end has moved, since the highest bid")).toBeVisible();
  await expect(panel(friend).getByText("Starting bid", { exact: true })).toBeVisible();
});
