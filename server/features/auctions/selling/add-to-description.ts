import { eq, sql } from "drizzle-orm";
import { auctionTexts } from "#domain/auction.ts";
import { additionProblem, decideAddition, editMessages } from "#domain/auction-edit.ts";
import { mayTrade } from "#domain/permission.ts";
import { productPath } from "#protocol/addresses.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { NewNotification } from "#server/features/notifications/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { notifyBidders } from "../catalogue/remove-product.ts";
import { auctionBidding } from "../tables.ts";
import { lockOwnProduct } from "./lock-own-product.ts";
import { auctionAddition } from "./tables.ts";

/** Adds a dated text to a product's description (docs/product.md, "Changing an item") and notifies all bidders. */
export async function addToDescription(
  services: Services,
  actor: Actor,
  productId: string,
  text: string,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const product = await lockOwnProduct(tx, productId);
    const now = await databaseTime(tx);
    const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });
    const isSeller = product?.sellerId === actor.userId;
    if (!product || !isSeller) throw notFound();
    const [row] = await tx
      .select({ additions: sql<number>`count(*)::int` })
      .from(auctionAddition)
      .where(eq(auctionAddition.productId, productId));
    const additions = row?.additions ?? 0;
    const outcome = decideAddition({ ...product, additions }, isSeller, now);
    if (outcome.kind === "notFound") throw notFound();
    if (outcome.kind !== "allowed")
      throw new Refusal("failed-precondition", { message: editMessages[outcome.kind] });
    const problem = additionProblem(text);
    if (problem) throw Refusal.of(problem);
    const number = additions + 1;
    await notifyBidders(services, tx, [productId], (bidder) => notificationOfAddition(bidder, number));
    await tx.insert(auctionAddition).values({ productId, number, text: text.trim(), at: now });
    await tx
      .update(auctionBidding)
      .set({ version: sql`${auctionBidding.version} + 1` })
      .where(eq(auctionBidding.productId, productId));
    await recordAudit(tx, {
      action: "description-added-to",
      actorId: actor.userId,
      subjectId: actor.userId,
      address: actor.address,
      detail: { product: productId },
    });
    tx.afterCommit(() => services.products.changed([productId]));
  });
}

type Bidder = { productId: string; bidderId: string; productName: string };

const notificationOfAddition = (
  { productId, bidderId, productName }: Bidder,
  number: number,
): NewNotification => ({
  userId: bidderId,
  kind: "descriptionAddedTo",
  eventKey: `description-added-to:${productId}:${number}`,
  about: { product: productName },
  ids: { productId },
  path: productPath(productId),
});
