import { and, eq, sql } from "drizzle-orm";
import { isBound } from "#domain/account.ts";
import { mayTrade } from "#domain/permission.ts";
import {
  decideOfferAnswer,
  type OfferHours,
  offerTexts,
  type SecondChanceState,
  secondChanceRefusals,
} from "#domain/second-chance.ts";
import { productPath, secondChancesPath } from "#protocol/addresses.ts";
import { lockActor, lockStatus } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { auctionBidding, auctionProduct } from "../tables.ts";
import { publishToBoth, type SaleServices } from "./change-sale.ts";
import { isReady, latestSale, lockLatestSale, nextSecondChance } from "./next-second-chance.ts";
import { recordSales } from "./open-sale.ts";
import { readBar, refuseBarred } from "./strikes.ts";
import { noSecondChances, secondChance } from "./tables.ts";

const hour = 3_600_000;

/** Offers a product to the next bidder, as its seller. `amount` is the price that the page showed, in cents. */
export async function offerSecondChance(
  services: SaleServices,
  actor: Actor,
  { productId, hours, amount }: { productId: string; hours: OfferHours; amount: number },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    // Others must learn nothing, not even from the time that locks take.
    if ((await latestSale(tx, productId))?.sellerId !== actor.userId) throw new Refusal("not-found");
    await refuseBarred(tx, actor.userId);
    const latest = await lockLatestSale(tx, productId);
    if (!latest) throw new Refusal("not-found");
    const now = await databaseTime(tx);
    await expireOffers(services, tx, productId, now);
    const next = await nextSecondChance(tx, productId, latest, now);
    if (next.kind === "refused")
      throw new Refusal("failed-precondition", { message: secondChanceRefusals[next.why] });
    // The next bidder or price has changed meanwhile.
    if (next.amount !== amount) throw Refusal.conflict();
    const { bidderId } = next;
    const until = new Date(now.getTime() + hours * hour);
    const [offer] = await tx
      .insert(secondChance)
      .values({ productId, bidderId, amount, until, at: now })
      .returning({ id: secondChance.id });
    await record(tx, actor, { productId, bidderId, outcome: "open" });
    await notify(services, tx, {
      userId: bidderId,
      kind: "secondChanceOffered",
      eventKey: `second-chance:${offer?.id}`,
      topic: `second-chance:${productId}`,
      about: { product: latest.productName },
      ids: { productId },
      path: secondChancesPath,
    });
    await publishToBoth(services, tx, { sellerId: actor.userId, buyerId: bidderId });
  });
}

const record = (
  tx: Transaction,
  actor: Actor | null,
  { productId, bidderId, outcome }: { productId: string; bidderId: string; outcome: SecondChanceState },
) =>
  recordAudit(tx, {
    action: "second-chance-changed",
    actorId: actor?.userId ?? null,
    subjectId: bidderId,
    ...(actor && { address: actor.address }),
    detail: { product: productId, outcome },
  });

/**
 * Locks the seller's account, the sales of the product and the offer, in this order. Returns null if the user isn't the
 * offer's seller or bidder, as `as.of` says, or if the offer doesn't exist.
 */
async function lockOffer(tx: Transaction, offerId: string, as: { of: "seller" | "bidder"; userId: string }) {
  const [row] = await tx
    .select({
      productId: secondChance.productId,
      seller: auctionProduct.sellerId,
      bidder: secondChance.bidderId,
    })
    .from(secondChance)
    .innerJoin(auctionProduct, eq(auctionProduct.id, secondChance.productId))
    .where(eq(secondChance.id, offerId));
  if (row?.[as.of] !== as.userId) return null;
  const seller = row.seller === null ? null : await lockStatus(tx, row.seller);
  const latest = await lockLatestSale(tx, row.productId);
  const [offer] = await tx.select().from(secondChance).where(eq(secondChance.id, offerId)).for("update");
  return offer && latest ? { offer, latest, isSellerBound: seller !== null && isBound(seller) } : null;
}

/** Withdraws an open offer, as the seller. */
export async function withdrawOffer(services: SaleServices, actor: Actor, offerId: string): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const current = await lockOffer(tx, offerId, { of: "seller", userId: actor.userId });
    if (!current) throw new Refusal("not-found");
    const { id, state, until, productId, bidderId } = current.offer;
    if (state !== "open" || until <= (await databaseTime(tx)))
      throw new Refusal("failed-precondition", { message: offerTexts.over });
    await tx.update(secondChance).set({ state: "withdrawn" }).where(eq(secondChance.id, id));
    await record(tx, actor, { productId, bidderId, outcome: "withdrawn" });
    await publishToBoth(services, tx, { sellerId: actor.userId, buyerId: bidderId });
  });
}

/** Accepts an offer, which makes a sale, or declines it, as its recipient. */
export async function answerOffer(
  services: SaleServices,
  actor: Actor,
  offerId: string,
  accept: boolean,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const account = await lockActor(tx, actor, mayTrade);
    const current = await lockOffer(tx, offerId, { of: "bidder", userId: actor.userId });
    if (!current) throw new Refusal("not-found");
    const { offer, latest, isSellerBound } = current;
    const { productId } = offer;
    const now = await databaseTime(tx);
    const barredUntil = await readBar(tx, actor.userId, now);
    const isFree = latest.state === "fellThrough" && isSellerBound;
    const answer = decideOfferAnswer(offer, {
      accept,
      isReady: isReady({ account, barredUntil, now }),
      isFree,
      now,
    });
    if (answer.kind === "refused")
      throw new Refusal("failed-precondition", { message: offerTexts[answer.why] });
    await tx.update(secondChance).set({ state: answer.kind }).where(eq(secondChance.id, offerId));
    if (answer.kind === "accepted") await sell(services, tx, { ...latest, ...offer, now });
    await record(tx, actor, { productId, bidderId: actor.userId, outcome: answer.kind });
    if (latest.sellerId !== null)
      await notify(services, tx, {
        userId: latest.sellerId,
        kind: "secondChanceAnswered",
        eventKey: `second-chance-answered:${offerId}`,
        about: { product: latest.productName, answer: answer.kind },
        ids: { productId },
        path: productPath(productId),
      });
    await publishToBoth(services, tx, { sellerId: latest.sellerId, buyerId: actor.userId });
  });
}

type SaleTerms = { productId: string; sellerId: string | null; bidderId: string; amount: number; now: Date };

/** Makes the sale of an accepted offer. The product has a new buyer and price from then on. */
async function sell(services: SaleServices, tx: Transaction, terms: SaleTerms): Promise<void> {
  const { productId, sellerId, bidderId: buyerId, amount, now: madeAt } = terms;
  await tx
    .update(auctionBidding)
    .set({ version: sql`${auctionBidding.version} + 1` })
    .where(eq(auctionBidding.productId, productId));
  await tx
    .update(auctionProduct)
    .set({ winnerId: buyerId, winningBid: amount })
    .where(eq(auctionProduct.id, productId));
  await recordSales(tx, [{ productId, sellerId, buyerId, amount, kind: "secondChance", madeAt }]);
  tx.afterCommit(() => services.products.changed([productId]));
}

/** Expires a product's overdue offers and notifies its seller. Returns how many there were. */
async function expireOffers(
  services: SaleServices,
  tx: Transaction,
  productId: string,
  now: Date,
): Promise<number> {
  const expired = await tx
    .update(secondChance)
    .set({ state: "expired" })
    .where(
      and(
        eq(secondChance.productId, productId),
        eq(secondChance.state, "open"),
        sql`${secondChance.until} <= ${now.toISOString()}`,
      ),
    )
    .returning({ id: secondChance.id, bidderId: secondChance.bidderId });
  const latest = expired.length > 0 ? await latestSale(tx, productId) : null;
  for (const { id, bidderId } of expired) {
    await record(tx, null, { productId, bidderId, outcome: "expired" });
    if (latest?.sellerId)
      await notify(services, tx, {
        userId: latest.sellerId,
        kind: "secondChanceAnswered",
        eventKey: `second-chance-answered:${id}`,
        about: { product: latest.productName, answer: "no answer in time" },
        ids: { productId },
        path: productPath(productId),
      });
    await publishToBoth(services, tx, { sellerId: latest?.sellerId ?? null, buyerId: bidderId });
  }
  return expired.length;
}

/** Expires a product's overdue offers, each once, under the lock of its sales. */
export const expireOffersOf = (services: SaleServices, productId: string): Promise<number> =>
  services.database.transaction(async (tx) => {
    await lockLatestSale(tx, productId);
    return await expireOffers(services, tx, productId, await databaseTime(tx));
  });

/** Makes the pages of everyone with an open offer reload after its seller was shut out or let in again. */
export async function refreshOffersOf(
  services: SaleServices,
  tx: Transaction,
  sellerId: string,
): Promise<void> {
  const offers = await tx
    .select({ buyerId: secondChance.bidderId })
    .from(secondChance)
    .innerJoin(auctionProduct, eq(auctionProduct.id, secondChance.productId))
    .where(and(eq(auctionProduct.sellerId, sellerId), eq(secondChance.state, "open")));
  for (const { buyerId } of offers) await publishToBoth(services, tx, { sellerId: null, buyerId });
}

/** Turns second chances off or on for an account. */
export async function setSecondChances(services: SaleServices, actor: Actor, isOn: boolean): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    if (isOn) await tx.delete(noSecondChances).where(eq(noSecondChances.accountId, actor.userId));
    else await tx.insert(noSecondChances).values({ accountId: actor.userId }).onConflictDoNothing();
    await publishToBoth(services, tx, { sellerId: actor.userId, buyerId: null });
  });
}
