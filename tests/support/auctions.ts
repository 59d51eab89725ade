import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { auctionRules } from "#domain/auction.ts";
import { latestEndOf } from "#domain/auction-end.ts";
import { centsPerRand } from "#domain/money.ts";
import { saveSearchWords } from "#server/features/auctions/catalogue/create-product.ts";
import { firstHash } from "#server/features/auctions/history/chain.ts";
import { auctionBidding, auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import type { Services } from "#server/services.ts";
import type { Answer, Caller } from "./caller.ts";
import type { Person } from "./factories.ts";

type Changes = Partial<Omit<typeof auctionProduct.$inferSelect, "id" | "sellerId" | "search" | "called">>;
/** A server in this process, or access to the database of one in another process. */
type Store = { services: Pick<Services, "database"> };
const hour = 3_600_000;

/** Inserts a product that is on sale for a day; returns its id. */
export async function product(w: Store, seller: Pick<Person, "id">, changes: Changes = {}): Promise<string> {
  const values = {
    id: randomUUID(),
    sellerId: seller.id,
    productName: "Walnut writing desk",
    description: "Solid walnut, two drawers.\nCollect in Leeds.",
    startingBid: 15_000,
    category: "home",
    subcategory: "Furniture",
    grade: "Grade A",
    endDate: new Date(Date.now() + 24 * hour),
    softClose: false,
    rules: auctionRules,
    sellerTag: "seller",
    ...changes,
  } as const;
  const { id, category, subcategory, grade, startingBid, endDate, state = "open" } = values;
  const { softClose, rules, sellerTag } = values;
  const terms = {
    productId: id,
    sellerTag: sellerTag ?? "",
    startingBid,
    plannedEnd: endDate,
    softClose,
    rules,
  };
  await w.services.database.transaction(async (tx) => {
    await tx.insert(auctionProduct).values(values);
    const open = state === "open";
    await tx.insert(auctionBidding).values({
      productId: id,
      open,
      endsAt: endDate,
      latestEnd: latestEndOf({ endDate, softClose }),
      head: firstHash(terms),
      price: startingBid,
      category,
      subcategory,
      grade,
    });
    await saveSearchWords(tx, values.productName);
  });
  return id;
}

/** Bids an amount in rand. */
export const bid = (
  caller: Caller,
  productId: string,
  rand: number,
  idempotencyKey: string = randomUUID(),
): Promise<Answer> =>
  caller.call("auctions.bid", { productId, amount: Math.round(rand * centsPerRand), idempotencyKey });

/** Bids up to a limit in rand. */
export const bidUpTo = (
  caller: Caller,
  productId: string,
  rand: number,
  idempotencyKey: string = randomUUID(),
): Promise<Answer> =>
  caller.call("auctions.bid", {
    productId,
    form: "upTo",
    amount: Math.round(rand * centsPerRand),
    idempotencyKey,
  });

/**
 * Moves an auction's end in the database, which the application never does. Nodes with a cached product see it within
 * seconds.
 */
export async function endAt(
  { services: { database } }: Store,
  productId: string,
  endsAt: Date,
): Promise<void> {
  await database.db
    .update(auctionBidding)
    .set({ endsAt, version: sql`${auctionBidding.version} + 1` })
    .where(eq(auctionBidding.productId, productId));
}

/** The columns of a product whose auction ended without a sale. */
export const closed = { state: "unsold", closedAt: new Date(0), endDate: new Date(0) } as const;

/** Returns the stored product with its bidding. */
export async function storedProduct(w: Store, productId: string) {
  const [row] = await w.services.database.db
    .select()
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(eq(auctionProduct.id, productId));
  if (!row) throw new Error("there is no such product");
  return { ...row.auction_bidding, ...row.auction_product };
}

/** Takes a product off sale, as its seller or as an admin with a reason. */
export const remove = (who: Person, productId: string, reason = ""): Promise<Answer> =>
  who.caller.call("auctions.remove", { productId, reason });

/** Returns a person's notifications in order, except those of being outbid, whose time varies. */
export async function notificationsExceptOutbid(w: Store, who: Pick<Person, "id">) {
  const rows = await w.services.database.db
    .select({ kind: notification.kind, about: notification.about, path: notification.path })
    .from(notification)
    .where(eq(notification.userId, who.id))
    .orderBy(notification.id);
  return rows.filter(({ kind }) => kind !== "outbid");
}

/** Adds rows for this many pictures to a product; the store has no files for them. */
export async function withPictures({ services: { database } }: Store, productId: string, number: number) {
  const pictures = Array.from({ length: number }, (_, position) => ({
    id: randomUUID(),
    ownerId: "somebody",
    productId,
    position,
    width: 1200,
    height: 900,
  }));
  await database.db.insert(auctionPicture).values(pictures);
}
