import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { oneRand } from "#domain/money.ts";
import { learnWords } from "#server/features/auctions/catalogue/create-product.ts";
import { auctionBidding, auctionPicture, auctionProduct } from "#server/features/auctions/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import type { Services } from "#server/services.ts";
import type { Answer, Caller } from "./caller.ts";
import type { Person } from "./factories.ts";

type Changes = Partial<Omit<typeof auctionProduct.$inferInsert, "id" | "sellerId">>;
/** A server as a function, or what reaches the database of one that runs. */
type Store = { services: Pick<Services, "database"> };
const hour = 3_600_000;

/** A product on sale for a day, straight into the database; returns its id. */
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
    ...changes,
  } as const;
  const { id, category, subcategory, grade, startingBid, state = "open" } = values;
  await w.services.database.transaction(async (tx) => {
    await tx.insert(auctionProduct).values(values);
    const open = state === "open";
    await tx
      .insert(auctionBidding)
      .values({ productId: id, open, price: startingBid, category, subcategory, grade });
    await learnWords(tx, values.productName);
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
  caller.call("auctions.bid", { productId, amount: Math.round(rand * oneRand), idempotencyKey });

/** Moves an auction's end, as nobody can but a test: nodes that have cached the product see it within seconds. */
export async function endAt(
  { services: { database } }: Store,
  productId: string,
  endDate: Date,
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.update(auctionProduct).set({ endDate }).where(eq(auctionProduct.id, productId));
    await tx
      .update(auctionBidding)
      .set({ version: sql`${auctionBidding.version} + 1` })
      .where(eq(auctionBidding.productId, productId));
  });
}

/** What a product is that ended without a sale. */
export const closed = { state: "unsold", closedAt: new Date(0), endDate: new Date(0) } as const;

/** The product and its bidding as they stand in the database. */
export async function storedProduct(w: Store, productId: string) {
  const [found] = await w.services.database.db
    .select()
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .where(eq(auctionProduct.id, productId));
  if (!found) throw new Error("there is no such product");
  return { ...found.auction_bidding, ...found.auction_product };
}

/** Takes a product off sale, as its seller or with an admin's reason. */
export const remove = (who: Person, productId: string, reason = ""): Promise<Answer> =>
  who.caller.call("auctions.remove", { productId, reason });

/** What somebody was notified of, in order, without the news of being outbid, which come in their own time. */
export async function newsBesidesOutbid(w: Store, who: Pick<Person, "id">) {
  const rows = await w.services.database.db
    .select({ kind: notification.kind, about: notification.about, path: notification.path })
    .from(notification)
    .where(eq(notification.userId, who.id))
    .orderBy(notification.id);
  return rows.filter(({ kind }) => kind !== "outbid");
}

/** Gives a product so many pictures, which are in no store. */
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
