import { and, eq, notInArray, sql } from "drizzle-orm";
import { auctionTexts } from "#domain/auction.ts";
import { decideEdit, type EditOutcome, editMessages } from "#domain/auction-edit.ts";
import { amountInput } from "#domain/money.ts";
import { mayTrade } from "#domain/permission.ts";
import { checkProduct, type NewProduct } from "#domain/product-check.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { biddingTerms, lockPictures, placePictures, saveSearchWords } from "../catalogue/create-product.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { auctionBidding, auctionPicture, auctionProduct } from "../tables.ts";
import { lockOwnProduct, type OwnLockedProduct } from "./lock-own-product.ts";

/** The changed fields of a product, amounts in cents. Missing fields stay unchanged. */
export type ProductChanges = {
  productName?: string | undefined;
  description?: string | undefined;
  startingBid?: number | undefined;
  category?: string | undefined;
  subcategory?: string | undefined;
  grade?: string | undefined;
  handover?: string | undefined;
  collectionPlace?: string | undefined;
  courier?: number | null | undefined;
  endDate?: Date | undefined;
  softClose?: boolean | undefined;
  images?: readonly string[] | undefined;
};

/**
 * Changes a product until its first bid (docs/product.md, "Changing an item"), under the lock that bids take.
 * Increments its terms, so that a bid made for the former ones is refused.
 */
export async function editProduct(
  services: Services,
  actor: Actor,
  productId: string,
  changes: ProductChanges,
): Promise<void> {
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    const product = await lockOwnProduct(tx, productId);
    const now = await databaseTime(tx);
    if (!product) throw notFound();
    const outcome = decideEdit(product, product.sellerId === actor.userId, now);
    if (outcome.kind !== "allowed") throw refusalOf(outcome.kind);
    const images = changes.images ?? (await picturesOf(tx, productId));
    const edited = checkProduct({ ...formOf(product, changes), images: images.length }, now, product.endDate);
    if ("code" in edited) throw Refusal.of(edited);
    await save(tx, { ...edited, id: productId, sellerTag: product.sellerTag });
    if (changes.images) await replacePictures(tx, actor.userId, productId, changes.images);
    await recordAudit(tx, {
      action: "product-changed",
      actorId: actor.userId,
      subjectId: actor.userId,
      address: actor.address,
      detail: { product: productId },
    });
    tx.afterCommit(() => services.products.changed([productId]));
  });
}

const notFound = () => new Refusal("not-found", { message: auctionTexts.notFound });

const refusalOf = (kind: Exclude<EditOutcome["kind"], "allowed">): Refusal =>
  kind === "notFound" ? notFound() : new Refusal("failed-precondition", { message: editMessages[kind] });

/** Returns the product as an upload form, with the changes. */
function formOf(product: OwnLockedProduct, changes: ProductChanges) {
  const courier = changes.courier === undefined ? product.courier : changes.courier;
  return {
    productName: changes.productName ?? product.productName,
    description: changes.description ?? product.description,
    startingBid: amountInput(changes.startingBid ?? product.startingBid),
    category: changes.category ?? product.category,
    subcategory: changes.subcategory ?? product.subcategory,
    grade: changes.grade ?? product.grade,
    handover: changes.handover ?? product.handover,
    collectionPlace: changes.collectionPlace ?? product.collectionPlace,
    courier: courier === null ? "" : amountInput(courier),
    endDate: changes.endDate ?? product.endDate,
    softClose: changes.softClose ?? product.softClose,
  };
}

async function picturesOf(tx: Transaction, productId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: auctionPicture.id })
    .from(auctionPicture)
    .where(eq(auctionPicture.productId, productId));
  return rows.map(({ id }) => id);
}

type EditedProduct = NewProduct & { id: string; sellerTag: string | null };

/**
 * Saves the new terms, with which the history starts again. The bidding keeps copies of the columns that lists are
 * sorted and filtered by.
 */
async function save(tx: Transaction, { id, sellerTag, ...product }: EditedProduct): Promise<void> {
  const { category, subcategory, grade, startingBid, endDate } = product;
  await tx.update(auctionProduct).set(product).where(eq(auctionProduct.id, id));
  await tx
    .update(auctionBidding)
    .set({
      category,
      subcategory,
      grade,
      price: startingBid,
      ...(sellerTag === null ? { endsAt: endDate } : biddingTerms(id, sellerTag, product)),
      version: sql`${auctionBidding.version} + 1`,
      terms: sql`${auctionBidding.terms} + 1`,
    })
    .where(eq(auctionBidding.productId, id));
  await saveSearchWords(tx, product.productName);
}

/** Replaces a product's pictures. The nightly tidy-up deletes those that are left out. */
async function replacePictures(
  tx: Transaction,
  ownerId: string,
  productId: string,
  images: readonly string[],
): Promise<void> {
  await lockPictures(tx, ownerId, images, productId);
  await tx
    .update(auctionPicture)
    .set({ productId: null })
    .where(and(eq(auctionPicture.productId, productId), notInArray(auctionPicture.id, [...images])));
  await placePictures(tx, productId, images);
}
