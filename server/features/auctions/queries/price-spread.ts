import type pg from "pg";

/** Prices in cents, ascending, with about equally many auctions between each two; how many are open in all. */
export type PriceSpread = { bounds: readonly number[]; open: number };

const known = `
  select histogram_bounds::text::bigint[]::text[] as bounds, reltuples as open
  from pg_stats, pg_class
  where schemaname = current_schema and tablename = 'auction_bidding' and attname = 'price'
    and oid = 'auction_bidding_price'::regclass`;

async function read(pool: pg.Pool): Promise<PriceSpread> {
  const { rows } = await pool.query<{ bounds: string[] | null; open: number }>(known);
  const [{ bounds, open } = { bounds: null, open: 0 }] = rows;
  return { bounds: (bounds ?? []).map(Number), open };
}

/** Milliseconds for which it is remembered: prices as a whole change slowly, and nothing hangs on it but time. */
const freshFor = 10 * 60_000;
const remembered = new WeakMap<pg.Pool, { at: number; spread: Promise<PriceSpread> }>();

/** As far as PostgreSQL's own statistics know; no bounds before it has made any. */
export function priceSpread(pool: pg.Pool): Promise<PriceSpread> {
  const last = remembered.get(pool);
  if (last && Date.now() - last.at < freshFor) return last.spread;
  const spread = read(pool);
  remembered.set(pool, { at: Date.now(), spread });
  // The next one asks again.
  spread.catch(() => remembered.delete(pool));
  return spread;
}

/** The price that stands so many open auctions after another one in an order; null when that is not known. */
export function priceAfter(
  { bounds, open }: PriceSpread,
  from: number,
  count: number,
  direction: "asc" | "desc",
): number | null {
  const below = bounds.filter((bound) => bound <= from).length;
  const further = Math.ceil((count / Math.max(open, 1)) * (bounds.length - 1));
  const at = direction === "asc" ? below + further : below - 1 - further;
  return bounds[Math.min(Math.max(at, 0), bounds.length - 1)] ?? null;
}
