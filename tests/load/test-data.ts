import pg from "pg";
import type { Role } from "#domain/account.ts";
import { compose } from "#server/compose.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import type { DatabaseAddress } from "#server/platform/database.ts";
import { readEnvironment } from "#server/platform/environment.ts";
import { createLog } from "#server/platform/log.ts";
import type { Services } from "#server/services.ts";
import type { Bidder } from "#tests/history/bidder.ts";
import type { Lot, RecordedBid, RecordedLimit, RecordedRemoval } from "#tests/history/operation.ts";
import { product } from "#tests/support/auctions.ts";
import { freshEmail } from "#tests/support/factories.ts";

/** The secret of all servers of a test, so that sessions are valid on each. */
export const sessionSecret = "one secret for all servers of a test";

/** The bidders, the items that they sell in turn and bid for, and an admin who can void bids. */
export type TestData = { bidders: Bidder[]; admin: Bidder; lots: Lot[] };
type Size = { bidders: number; lots: number };

const day = 24 * 60 * 60 * 1000;

/** Fills a database with signed-in people and products on sale; `lotEnd` in milliseconds since 1970. */
export async function createTestData(
  address: DatabaseAddress,
  dataDir: string,
  size: Size,
  lotEnd = Date.now() + day,
): Promise<TestData> {
  const environment = readEnvironment({ DATA_DIR: dataDir, SESSION_SECRET: sessionSecret });
  const { services, stop } = await compose(environment, address, createLog("silent"));
  try {
    const bidders = await Promise.all(
      Array.from({ length: size.bidders }, () => createPerson(services, "student")),
    );
    // Servers only accept admins who are on their list.
    const [adminEmail = ""] = environment.adminEmails;
    const admin = await createPerson(services, "admin", adminEmail);
    const startingBid = 15_000;
    const lots = await Promise.all(
      Array.from({ length: size.lots }, async (_, at) => {
        const sellerId = bidders[at % bidders.length]?.id ?? "";
        const endDate = new Date(lotEnd);
        const id = await product({ services }, { id: sellerId }, { startingBid, endDate });
        return { id, sellerId, startingBid, endDate: lotEnd };
      }),
    );
    return { bidders, admin, lots };
  } finally {
    await stop();
  }
}

async function createPerson(
  { database, sessions }: Services,
  role: Role,
  email = freshEmail(),
): Promise<Bidder> {
  const profile = { role, status: "active", email, emailVerified: true } as const;
  const id = await database.transaction((tx) => createAccount(tx, profile, "no password"));
  const cookie = await database.transaction((tx) => sessions.open(tx, id));
  return { id, cookie: cookie.split(";", 1)[0] ?? "" };
}

type BidRow = Omit<RecordedBid, "amount" | "at"> & { amount: string; at: string };
type LimitRow = Omit<RecordedLimit, "amount" | "at"> & { amount: string; at: string };
type RemovalRow = Omit<RecordedRemoval, "intended" | "at"> & { intended: string | null; at: string };

const idsOf = (lots: readonly Lot[]) => lots.map(({ id }) => id);

/** The stored part of a history. */
export type StoredHistory = { bids: RecordedBid[]; limits: RecordedLimit[]; removals: RecordedRemoval[] };

/** Returns all stored bids and limits for these lots, and the rows that withdrew or voided bids. */
export async function storedBids(address: DatabaseAddress, lots: readonly Lot[]): Promise<StoredHistory> {
  const client = new pg.Client(address);
  await client.connect();
  const bids = await client.query<BidRow>(
    `select product_id as "productId", number, bidder_id as "bidderId", idempotency_key as key, kind, amount,
            (extract(epoch from created_at) * 1000)::bigint as at
     from auction_bid where product_id = any($1::uuid[])`,
    [idsOf(lots)],
  );
  const limits = await client.query<LimitRow>(
    `select product_id as "productId", number, bidder_id as "bidderId", idempotency_key as key, amount,
            (extract(epoch from created_at) * 1000)::bigint as at
     from auction_limit where product_id = any($1::uuid[])`,
    [idsOf(lots)],
  );
  const removals = await client.query<RemovalRow>(
    `select product_id as "productId", number, bidder_id as "bidderId", intended_amount as intended,
            case form when 'admin' then 'voided' else 'withdrawn' end as kind,
            (extract(epoch from at) * 1000)::bigint as at
     from bid_withdrawal where product_id = any($1::uuid[])`,
    [idsOf(lots)],
  );
  await client.end();
  const numbers = ({ amount, at }: { amount: string; at: string }) => ({
    amount: Number(amount),
    at: Number(at),
  });
  return {
    bids: bids.rows.map((row) => ({ ...row, ...numbers(row) })),
    limits: limits.rows.map((row) => ({ ...row, ...numbers(row) })),
    removals: removals.rows.map(({ intended, at, ...row }) => ({
      ...row,
      intended: intended === null ? null : Number(intended),
      at: Number(at),
    })),
  };
}

/**
 * Makes the lots end one after the other, the first in five seconds by the database's clock; late bids extend each end
 * up to four times that far from now. Returns the lots with their ends.
 */
export async function closeSoftly(address: DatabaseAddress, lots: readonly Lot[]): Promise<Lot[]> {
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query<{ id: string; end: Date; latest: Date }>(
    `update auction_bidding
     set ends_at = now() + place * interval '5 seconds', latest_end = now() + place * interval '20 seconds'
     from unnest($1::uuid[]) with ordinality as lot (id, place) where product_id = lot.id
     returning product_id as id, ends_at as end, latest_end as latest`,
    [idsOf(lots)],
  );
  await client.end();
  const ends = new Map(rows.map(({ id, end, latest }) => [id, { endDate: +end, latestEnd: +latest }]));
  return lots.map((lot) => ({ ...lot, ...ends.get(lot.id) }));
}

/** Sets the end of these lots to this many milliseconds from now by the database's clock; returns the lots with it. */
export async function endIn(
  address: DatabaseAddress,
  lots: readonly Lot[],
  milliseconds: number,
): Promise<Lot[]> {
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query<{ ends_at: Date }>(
    `update auction_bidding set ends_at = now() + make_interval(secs => $1)
     where product_id = any($2::uuid[]) returning ends_at`,
    [milliseconds / 1000, idsOf(lots)],
  );
  await client.end();
  const endDate = rows[0]?.ends_at.getTime() ?? 0;
  return lots.map((lot) => ({ ...lot, endDate }));
}
