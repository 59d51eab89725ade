import { and, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Bid, MyBid } from "#contract/auctions.ts";
import { isBound } from "#domain/account.ts";
import { type BidPosition, bidPositions } from "#domain/auction-list.ts";
import { contactEnds } from "#domain/deletion.ts";
import { bidsPerPage, ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { ascending, type Cursor, cursorForm, paginate, writeCursor } from "#server/platform/keyset-list.ts";
import type { Services } from "#server/services.ts";
import { readBids, shownBids } from "../catalogue/read-product.ts";
import { firstPictures } from "../pictures/queries.ts";
import { auctionBidder, auctionBidding, auctionProduct } from "../tables.ts";

type Parts = Pick<Services, "database" | "products">;

/** PostgreSQL's highest integer. */
const highestNumber = 2_147_483_647;

/**
 * Lists a product's bids, newest first, as everyone sees them; only those below `below` if it is given. `next` is the
 * `below` of the next page, or null at the first bid. Returns null for a product that was removed or never existed.
 */
export async function olderBids(
  { database, products }: Parts,
  productId: string,
  below = highestNumber,
  limit = bidsPerPage,
): Promise<{ bids: Bid[]; next: number | null } | null> {
  const [product, candidates] = await Promise.all([
    products.read(productId),
    readBids(database.db, productId, below - 1, bidsPerPage + 1),
  ]);
  if (product === null) return null;
  const { rows, next } = paginate(candidates, limit, ({ number }) => number);
  const publicBids = shownBids(product, rows, (bidderId) => products.tagOf(productId, bidderId));
  return { bids: publicBids.map((bid) => ({ ...bid, at: new Date(bid.at) })), next };
}

/** Maximum number of bidder names sent to a seller; the page shows fewer bids. */
const maxNames = 200;

/** Returns the names behind the tags, for the seller (docs/product.md, "Names"). */
async function bidderNames(
  { database, products }: Parts,
  productId: string,
): Promise<Record<string, string>> {
  const rows = await database.db
    .select({ id: user.id, name: user.name })
    .from(auctionBidder)
    .innerJoin(user, eq(user.id, auctionBidder.bidderId))
    .where(eq(auctionBidder.productId, productId))
    .orderBy(desc(auctionBidder.number))
    .limit(maxNames)
    .prepare("bidder_names")
    .execute();
  return Object.fromEntries(rows.map(({ id, name }) => [products.tagOf(productId, id), name]));
}

/** Returns a user's contact details after a sale; null when an admin or an erasure has ended their account. */
async function contactOf(db: Reader, userId: string, soldAt: Date | null) {
  const [row] = await db
    .select({ name: user.name, email: user.email, phone: user.phone, role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, userId))
    .prepare("sale_contact")
    .execute();
  if (!row || !isBound(row)) return null;
  const { name, email, phone, status } = row;
  return { name, email, phone, leaves: status === "leaving" && soldAt ? contactEnds(soldAt) : null };
}

type Sale = Pick<typeof auctionProduct.$inferSelect, "state" | "sellerId" | "winnerId">;

/**
 * Returns the other party of a sale if the viewer is its seller or its winner; null for everyone else and for unsold
 * products.
 */
function otherOf({ state, sellerId, winnerId }: Sale, viewerId: string): string | null {
  if (state !== "sold") return null;
  if (viewerId === sellerId) return winnerId;
  return viewerId === winnerId ? sellerId : null;
}

/**
 * Returns the part of a product's page that only this viewer sees; null for a product that was removed or never
 * existed.
 */
export async function readRelation(parts: Parts, productId: string, viewerId: string) {
  const { db } = parts.database;
  const [product] = await db
    .select({
      state: auctionProduct.state,
      sellerId: auctionProduct.sellerId,
      winnerId: auctionProduct.winnerId,
      // A second chance makes a later sale.
      soldAt: sql<Date | null>`coalesce(
        (select max(made_at) from sale where sale.product_id = ${auctionProduct.id}),
        ${auctionProduct.closedAt})`.mapWith(auctionProduct.closedAt),
      bidAmount: auctionBidder.amount,
      withdrawn: auctionBidder.withdrawn,
      // Only its owner may see a limit. A limit that doesn't exceed the price counts as none.
      ownLimit: sql<number | null>`case
        when ${auctionBidding.highestBidderId} = ${viewerId} and ${auctionBidding.writtenTo} = ${auctionBidding.bidCount}
          and ${auctionBidding.leaderLimit} > ${auctionBidding.price}
        then ${auctionBidding.leaderLimit} end`.mapWith(Number),
    })
    .from(auctionProduct)
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionProduct.id))
    .leftJoin(
      auctionBidder,
      and(eq(auctionBidder.productId, auctionProduct.id), eq(auctionBidder.bidderId, viewerId)),
    )
    .where(and(eq(auctionProduct.id, productId), ne(auctionProduct.state, "removed")))
    .prepare("viewer_relation")
    .execute();
  if (!product) return null;
  const { bidAmount, ownLimit } = product;
  const withdrawn = product.withdrawn === true;
  const ownBid = withdrawn ? null : bidAmount;
  const isSeller = product.sellerId === viewerId;
  const otherId = otherOf(product, viewerId);
  const [names, contact] = await Promise.all([
    isSeller ? bidderNames(parts, productId) : {},
    otherId === null ? null : contactOf(db, otherId, product.soldAt),
  ]);
  return {
    tag: parts.products.tagOf(productId, viewerId),
    isSeller,
    ownBid,
    withdrawn,
    ownLimit,
    names,
    contact,
  };
}

/** Selects a bidder's position. An auction that has ended keeps its positions until it is settled. */
const positionOf = (bidderId: string): SQL<BidPosition> => sql`case
  when ${auctionBidder.withdrawn} and ${auctionProduct.state} <> 'removed' then 'withdrawn'
  else case ${auctionProduct.state}
  when 'open' then case when ${auctionBidding.highestBidderId} = ${bidderId} then 'winning' else 'outbid' end
  when 'sold' then case when ${auctionProduct.winnerId} = ${bidderId} then 'won' else 'lost' end
  when 'unsold' then 'lost'
  else 'removed' end end`;

const milliseconds = (moment: AnyPgColumn): SQL => sql`(extract(epoch from ${moment}) * 1000)::bigint`;

/**
 * Selects the sort key as one number: the position first, so that each group is complete before the next one. Within a
 * group, open auctions sort by their end and others by the viewer's first bid, latest first. A time in milliseconds has
 * 13 digits.
 */
const keyOf = (position: SQL): SQL<string> => sql`
  array_position(${`{${bidPositions.join()}}`}::text[], ${position}) * 100000000000000 + case ${auctionProduct.state}
    when 'open' then ${milliseconds(auctionBidding.endsAt)}
    else 10000000000000 - ${milliseconds(auctionBidder.since)} end`;

export const myBidCursor = cursorForm("number", "uuid");

function readPage(db: Reader, bidderId: string, after: Cursor | null) {
  const position = positionOf(bidderId);
  const key = keyOf(position);
  const order = ascending(key, auctionBidder.productId);
  return db
    .select({
      productId: auctionBidder.productId,
      productName: auctionProduct.productName,
      position,
      removedBy: auctionProduct.removedBy,
      removalReason: auctionProduct.removalReason,
      amount: auctionBidder.amount,
      // The highest bidder may not be the buyer, so a sale shows its own price.
      price: sql<number>`coalesce(${auctionProduct.winningBid}, ${auctionBidding.price})`.mapWith(Number),
      state: auctionProduct.state,
      endDate: auctionBidding.endsAt,
      since: auctionBidder.since,
      key,
    })
    .from(auctionBidder)
    .innerJoin(auctionProduct, eq(auctionProduct.id, auctionBidder.productId))
    .innerJoin(auctionBidding, eq(auctionBidding.productId, auctionBidder.productId))
    .where(and(eq(auctionBidder.bidderId, bidderId), order.after(after)))
    .orderBy(...order.by)
    .limit(ownAuctionsPerPage + 1)
    .prepare(after ? "my_bids_further" : "my_bids")
    .execute();
}

/** Lists a bidder's bids in the groups of My bids; `next` is null on the last page. */
export async function listMyBids(
  db: Reader,
  bidderId: string,
  after: Cursor | null,
  limit = ownAuctionsPerPage,
) {
  const candidates = await readPage(db, bidderId, after);
  const { rows, next } = paginate(candidates, limit, ({ key, productId }) => writeCursor([key, productId]));
  const pictures = await firstPictures(
    db,
    rows.map(({ productId }) => productId),
  );
  const bids = rows.map(
    (row): MyBid => ({
      productId: row.productId,
      productName: row.productName,
      picture: pictures.get(row.productId) ?? null,
      position: row.position,
      removedBy: row.removedBy,
      reason: row.removalReason ?? "",
      amount: row.amount,
      price: row.price,
      sold: row.state === "sold",
      endDate: row.endDate,
      since: row.since,
    }),
  );
  return { bids, next };
}
