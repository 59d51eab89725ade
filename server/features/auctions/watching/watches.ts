import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import type { ProductMark, WatchedItem } from "#contract/watching.ts";
import { auctionTexts } from "#domain/auction.ts";
import { mayTrade } from "#domain/permission.ts";
import { decideWatch, type WatchOutcome, watchTexts } from "#domain/watching.ts";
import { ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { lockActor } from "#server/features/account/queries.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { databaseTime } from "../catalogue/database-time.ts";
import { validBids } from "../catalogue/valid-bids.ts";
import { firstPictures } from "../pictures/queries.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../tables.ts";
import { auctionWatch } from "./tables.ts";

const refusals: Record<Exclude<WatchOutcome, "watched">, () => Refusal> = {
  notFound: () => new Refusal("not-found", { message: auctionTexts.notFound }),
  ownProduct: () => new Refusal("failed-precondition", { message: watchTexts.ownProduct }),
  ended: () => new Refusal("failed-precondition", { message: watchTexts.ended }),
  tooMany: () => new Refusal("resource-exhausted", { message: watchTexts.tooMany }),
};

export async function watchItem(services: Services, actor: Actor, productId: string): Promise<void> {
  const { userId } = actor;
  await services.database.transaction(async (tx) => {
    await lockActor(tx, actor, mayTrade);
    // Two concurrent calls must not both find room for one more.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`watched items of ${userId}`}))`);
    const auction = await auctionFor(tx, productId, userId);
    if (!auction) throw refusals.notFound();
    const watched = await tx.$count(auctionWatch, eq(auctionWatch.userId, userId));
    const viewer = { isWatching: auction.isWatching, watched };
    const outcome = decideWatch(auction, viewer, await databaseTime(tx));
    if (outcome !== "watched") throw refusals[outcome]();
    await tx.insert(auctionWatch).values({ userId, productId }).onConflictDoNothing();
  });
}

async function auctionFor(tx: Transaction, productId: string, userId: string) {
  const [row] = await tx
    .select({
      state: auctionProduct.state,
      endsAt: auctionBidding.endsAt,
      isSeller: sql<boolean>`${auctionProduct.sellerId} is not distinct from ${userId}`,
      isWatching: sql<boolean>`${auctionWatch.userId} is not null`,
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .leftJoin(
      auctionWatch,
      and(eq(auctionWatch.productId, auctionProduct.id), eq(auctionWatch.userId, userId)),
    )
    .where(eq(auctionProduct.id, productId));
  return row;
}

export async function unwatchItem(
  { database }: Pick<Services, "database">,
  userId: string,
  productId: string,
): Promise<void> {
  await database.db
    .delete(auctionWatch)
    .where(and(eq(auctionWatch.userId, userId), eq(auctionWatch.productId, productId)));
}

/** Returns the viewer's relation to products that were not removed; see `ProductMark`. */
export async function readMarks(
  { database, products }: Pick<Services, "database" | "products">,
  viewerId: string,
  productIds: readonly string[],
): Promise<ProductMark[]> {
  if (productIds.length === 0) return [];
  const isSeller = sql<boolean>`${auctionProduct.sellerId} is not distinct from ${viewerId}`;
  const rows = await database.db
    .select({
      productId: auctionProduct.id,
      isSeller,
      hasBid: sql<boolean>`${auctionBidder.bidderId} is not null`,
      isWatching: sql<boolean>`${auctionWatch.userId} is not null`,
      watchers: sql<number | null>`case when ${isSeller} then
        (select count(*)::int from auction_watch watch where watch.product_id = ${auctionProduct.id}) end`,
    })
    .from(auctionProduct)
    .leftJoin(
      auctionBidder,
      and(eq(auctionBidder.productId, auctionProduct.id), eq(auctionBidder.bidderId, viewerId)),
    )
    .leftJoin(
      auctionWatch,
      and(eq(auctionWatch.productId, auctionProduct.id), eq(auctionWatch.userId, viewerId)),
    )
    .where(
      and(
        sql`${auctionProduct.id} = any(${sql.param([...productIds])}::uuid[])`,
        ne(auctionProduct.state, "removed"),
      ),
    )
    .prepare("product_marks")
    .execute();
  return rows.map((row) => ({ ...row, tag: products.tagOf(row.productId, viewerId) }));
}

/** The state that a watcher sees. `ended`: the auction has ended and is about to be settled. */
const shownState = sql<WatchedItem["state"]>`case
  when ${auctionProduct.state} = 'open' and ${auctionBidding.endsAt} <= clock_timestamp() then 'ended'
  else ${auctionProduct.state} end`;

/**
 * The sort key as one number: open auctions by their end, then the others, the one that ended last first. A time in
 * milliseconds has 13 digits.
 */
const key: SQL<string> = sql`case ${auctionProduct.state} when 'open' then 0 else 100000000000000 end
  + case ${auctionProduct.state} when 'open' then 1 else -1 end
  * (extract(epoch from ${auctionBidding.endsAt}) * 1000)::bigint`;
const order = ascending(key, auctionWatch.productId);
export const watchedItemCursor = cursorForm("number", "uuid");

const readPage = (db: Reader, userId: string, after: Cursor | null) =>
  db
    .select({
      id: auctionProduct.id,
      productName: auctionProduct.productName,
      category: auctionProduct.category,
      subcategory: auctionProduct.subcategory,
      grade: auctionProduct.grade,
      collectionPlace: auctionProduct.collectionPlace,
      courier: auctionProduct.courier,
      state: shownState,
      // The highest bidder may not be the buyer, so a sale shows its own price.
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      bidCount: validBids,
      endDate: auctionBidding.endsAt,
      isWinning: sql<boolean>`${auctionBidding.open} and ${auctionBidding.highestBidderId} is not distinct from ${userId}`,
      since: auctionWatch.at,
      key,
    })
    .from(auctionWatch)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionWatch.productId))
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionWatch.productId))
    .where(and(eq(auctionWatch.userId, userId), ne(auctionProduct.state, "removed"), order.after(after)))
    .orderBy(...order.by)
    .limit(ownAuctionsPerPage + 1)
    .prepare(after ? "watched_items_further" : "watched_items")
    .execute();

/** Lists a user's watched items; `next` is null on the last page. */
export async function listWatched(
  db: Reader,
  userId: string,
  after: Cursor | null,
  limit = ownAuctionsPerPage,
) {
  const candidates = await readPage(db, userId, after);
  const { rows, next } = paginate(candidates, limit, ({ key, id }) => writeCursor([key, id]));
  const pictures = await firstPictures(
    db,
    rows.map(({ id }) => id),
  );
  const items = rows.map(
    ({ key: _key, ...item }): WatchedItem => ({ ...item, picture: pictures.get(item.id) ?? null }),
  );
  return { items, next };
}
