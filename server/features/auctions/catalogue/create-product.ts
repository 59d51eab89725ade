import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { auctionRules, auctionTexts } from "#domain/auction.ts";
import { latestEndOf } from "#domain/auction-end.ts";
import { mayTrade } from "#domain/permission.ts";
import { checkProduct, type NewProduct, type ProductForm } from "#domain/product-check.ts";
import { refundFailure, requireAllowance } from "#server/features/account/allowance.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { firstHash } from "../history/chain.ts";
import { refuseBarred } from "../sales/strikes.ts";
import { auctionBidding, auctionPicture, auctionProduct } from "../tables.ts";
import { databaseTime } from "./database-time.ts";
import { announceItems } from "./new-items.ts";

/** The form, with the ids of its pictures in their order. */
export type ProductUpload = Omit<ProductForm, "images"> & { images: readonly string[] };

/** The origin of a new product: the ended one that it was copied from, if any. */
export type Origin = { copiedFrom: string | null };

/**
 * Puts a product up for auction (docs/product.md, "Listing an item"), with its pictures. Resolves to its id. `prepare`
 * runs in the same transaction, before anything is saved.
 */
export async function createProduct(
  services: Services,
  actor: Actor,
  { images, ...form }: ProductUpload,
  prepare: (tx: Transaction, id: string) => Promise<Origin> = async () => ({ copiedFrom: null }),
): Promise<string> {
  const { database, limits } = services;
  const product = checkProduct({ ...form, images: images.length }, await databaseTime(database.db));
  if ("code" in product) throw Refusal.of(product);
  const allowance = requireAllowance(await limits.product(actor.userId));
  return await refundFailure(
    allowance,
    database.transaction((tx) => save(services, tx, actor, product, images, prepare)),
  );
}

async function save(
  { products, jobs }: Services,
  tx: Transaction,
  actor: Actor,
  product: NewProduct,
  images: readonly string[],
  prepare: (tx: Transaction, id: string) => Promise<Origin>,
): Promise<string> {
  await lockActor(tx, actor, mayTrade);
  await refuseBarred(tx, actor.userId);
  const id = randomUUID();
  const origin = await prepare(tx, id);
  await lockPictures(tx, actor.userId, images);
  const { category, subcategory, grade, startingBid } = product;
  const sellerTag = products.tagOf(id, actor.userId);
  await tx
    .insert(auctionProduct)
    .values({ id, sellerId: actor.userId, sellerTag, rules: auctionRules, ...product, ...origin });
  await tx.insert(auctionBidding).values({
    productId: id,
    ...biddingTerms(id, sellerTag, product),
    price: startingBid,
    category,
    subcategory,
    grade,
  });
  await saveSearchWords(tx, product.productName);
  await placePictures(tx, id, images);
  await announceItems(jobs, tx, [id]);
  await recordAudit(tx, {
    action: "product-uploaded",
    actorId: actor.userId,
    subjectId: actor.userId,
    address: actor.address,
    detail: { product: id },
  });
  return id;
}

/** Returns the terms of a product that the bidding keeps: its end, how far late bids move it, and the first hash. */
export const biddingTerms = (
  productId: string,
  sellerTag: string,
  product: Pick<NewProduct, "startingBid" | "endDate" | "softClose">,
) => {
  const { startingBid, endDate: plannedEnd, softClose } = product;
  const terms = { productId, sellerTag, startingBid, plannedEnd, softClose, rules: auctionRules };
  return { endsAt: plannedEnd, latestEnd: latestEndOf(product), head: firstHash(terms) };
};

/** Assigns pictures that the caller has locked to a product, in their order. */
export async function placePictures(
  tx: Transaction,
  productId: string,
  images: readonly string[],
): Promise<void> {
  const inOrder = sql`array_position(${sql.param([...images])}::uuid[], ${auctionPicture.id}) - 1`;
  await tx
    .update(auctionPicture)
    .set({ productId, position: inOrder })
    .where(inArray(auctionPicture.id, [...images]));
}

/**
 * Refuses unless all pictures exist, are different, and either belong to the owner and are unused or belong to the
 * product that is being edited. Locks them until the transaction ends.
 */
export async function lockPictures(
  tx: Transaction,
  ownerId: string,
  images: readonly string[],
  productId: string | null = null,
): Promise<void> {
  const pictures = await tx
    .select({ id: auctionPicture.id })
    .from(auctionPicture)
    .where(
      and(
        inArray(auctionPicture.id, [...images]),
        productId === null
          ? and(eq(auctionPicture.ownerId, ownerId), isNull(auctionPicture.productId))
          : or(
              and(eq(auctionPicture.ownerId, ownerId), isNull(auctionPicture.productId)),
              eq(auctionPicture.productId, productId),
            ),
      ),
    )
    .orderBy(auctionPicture.id)
    .for("update");
  if (pictures.length !== images.length)
    throw new Refusal("not-found", { message: auctionTexts.picturesGone, field: "images" });
}

/** Stores the words of a product's name, for comparison with misspelt searches. */
export async function saveSearchWords(tx: Transaction, productName: string): Promise<void> {
  // The words are sorted: two transactions with the same new words could otherwise deadlock.
  await tx.execute(sql`
    insert into auction_word (word)
    select unnest(tsvector_to_array(to_tsvector('auction_words', search_text(${productName})))) as word order by word
    on conflict do nothing`);
}
