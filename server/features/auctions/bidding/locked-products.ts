import type pg from "pg";
import type { Bidding } from "#domain/bid.ts";
import type { LockMode } from "../tables.ts";

/** A product whose bidding this transaction has locked. */
export type LockedProduct = Bidding & {
  productId: string;
  version: number;
  terms: number;
  leaderName: string | null;
  /** The hash of the latest bid; null for a product without a chained history. */
  head: Buffer | null;
};

type LockRow = {
  product_id: string;
  version: number;
  terms: number;
  open: boolean;
  price: string;
  bid_count: number;
  highest_bidder_id: string | null;
  leader_limit: string | null;
  leader_name: string | null;
  latest_end: Date | null;
  head: Buffer | null;
  written_to: number;
  seller_id: string | null;
  starting_bid: string;
  ends_at: Date;
};

/**
 * Locks the products' bidding, always in the same order, so that two nodes can't deadlock. After waiting for a lock,
 * PostgreSQL rereads only the locked rows. An edit may have changed the starting bid meanwhile, so before the first bid
 * the locked price is the starting bid.
 */
const lockText = `
  select b.product_id, b.version, b.terms, b.open, b.price, b.bid_count, b.highest_bidder_id, b.leader_limit, b.latest_end,
         b.head, b.written_to, b.ends_at, p.seller_id, p.starting_bid,
         (select name from "user" where id = b.highest_bidder_id) as leader_name
  from auction_bidding b join auction_product p on p.id = b.product_id
  where b.product_id = any($1::uuid[])
  order by b.product_id
  for update of b`;

const locks: Record<LockMode, { name: string; text: string }> = {
  skipLocked: { name: "bid_lock_free", text: `${lockText} skip locked` },
  wait: { name: "bid_lock", text: lockText },
};

export async function lockProducts(
  client: pg.PoolClient,
  ids: readonly string[],
  lockMode: LockMode,
): Promise<LockedProduct[]> {
  const { rows } = await client.query<LockRow>({ ...locks[lockMode], values: [ids] });
  return rows.map(lockedOf);
}

function lockedOf(row: LockRow): LockedProduct {
  const highestBid = row.highest_bidder_id === null ? null : Number(row.price);
  // A node running a version without limits may have accepted bids since: they have no limit and end the chain.
  const isKnown = row.written_to === row.bid_count;
  return {
    productId: row.product_id,
    version: row.version,
    terms: row.terms,
    open: row.open,
    sellerId: row.seller_id,
    startingBid: Number(row.bid_count === 0 ? row.price : row.starting_bid),
    endDate: row.ends_at,
    latestEnd: row.latest_end,
    highestBid,
    highestBidderId: row.highest_bidder_id,
    leaderName: row.leader_name,
    leaderLimit: isKnown && row.leader_limit !== null ? Number(row.leader_limit) : highestBid,
    head: isKnown ? row.head : null,
    bidCount: row.bid_count,
  };
}

/** Returns which of these products, skipped or closed to bids, have not been taken off sale. */
export async function productsOnSale(client: pg.PoolClient, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const text = "select id from auction_product where id = any($1::uuid[]) and state <> 'removed'";
  const { rows } = await client.query<{ id: string }>({ name: "bid_others", text, values: [ids] });
  return new Set(rows.map(({ id }) => id));
}
