import type pg from "pg";
import type { Server } from "#tests/support/server-process.ts";
import { type Bid, bidInTurns, serverBid } from "./bid-in-turns.ts";
import { type Figure, median } from "./measure.ts";
import { type Browser, newProducts } from "./server-fixture.ts";

const rounds = 3;
/** Minimum share of the rate of bids with exact amounts. */
const least = 0.7;
/** Cents between two bids, so that a bid which a limit beats leaves room for the next one. */
const step = 300;

/** Measures accepted bids a second, half of them limits, also in the last two minutes, against exact bids only. */
export async function limitedBids(
  server: Server,
  pool: pg.Pool,
  browsers: readonly Browser[],
): Promise<Figure[]> {
  const exact = serverBid(server, browsers);
  const limits = serverBid(server, browsers, "upTo");
  let turn = 0;
  const half: Bid = (at, productId, cents) =>
    turn++ % 2 === 0 ? exact(at, productId, cents) : limits(at, productId, cents + step);
  const closing = async () => {
    const products = await newProducts(pool, 1, "1 minute");
    await pool.query(
      "update auction_bidding set latest_end = ends_at + interval '1 hour' where product_id = any($1::uuid[])",
      [products],
    );
    return products;
  };
  const [usual, limited, late]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    usual.push(await bidInTurns(exact, await newProducts(pool, 1), browsers.length, step));
    limited.push(await bidInTurns(half, await newProducts(pool, 1), browsers.length, step));
    late.push(await bidInTurns(exact, await closing(), browsers.length, step));
  }
  return [
    figureOf("bids, half of them limits", limited, usual),
    figureOf("bids in the last two minutes", late, usual),
  ];
}

function figureOf(name: string, rates: readonly number[], usual: readonly number[]): Figure {
  const value = median(rates) / median(usual);
  const detail = `${median(rates).toFixed(0)} bids/s, exact ones ${median(usual).toFixed(0)}`;
  return { name, value, limit: `at least ${least}`, holds: value >= least, detail };
}
