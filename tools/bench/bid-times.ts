import type pg from "pg";
import type { DatabaseAddress } from "#server/platform/database.ts";
import type { Server } from "#tests/support/server-process.ts";
import { type Bid, bidInTurns, serverBid } from "./bid-in-turns.ts";
import { HttpConnection } from "./http-connection.ts";
import { type Figure, median, milliseconds, p99 } from "./measure.ts";
import { bareServer } from "./rate.ts";
import { type Browser, newProducts } from "./server-fixture.ts";

const rounds = 3;
/** Maximum ratio of the slowest hundredth of our bids to that of a bare server's bids. */
const maxRatio = 2.5;

/** Returns the milliseconds of each bid, even a refused one, on one product while people bid as fast as they can. */
async function timesOf(bid: Bid, pool: pg.Pool, bidders: number): Promise<number[]> {
  const times: number[] = [];
  const timed: Bid = async (...args) => {
    const began = performance.now();
    const accepted = await bid(...args);
    times.push(performance.now() - began);
    return accepted;
  };
  await bidInTurns(timed, await newProducts(pool, 1), bidders);
  return times;
}

/**
 * Measures the slowest hundredth of bids on one hot product, as a multiple of that of a bare `node:http` and `pg` that
 * decides each bid by one statement. All rounds are taken together.
 */
export async function bidTimes(
  server: Server,
  address: DatabaseAddress,
  pool: pg.Pool,
  browsers: readonly Browser[],
): Promise<Figure[]> {
  const bare = await bareServer(new URL("bare-bids.ts", import.meta.url), JSON.stringify(address));
  const connections = await Promise.all(browsers.map(() => HttpConnection.open(bare.url)));
  const strangers = connections.map((connection) => ({ connection, cookie: "" }));
  const figures: Figure[] = [];
  try {
    for (const bidders of [8, 32]) {
      const [ours, theirs]: [number[][], number[][]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        theirs.push(await timesOf(serverBid(bare, strangers), pool, bidders));
        ours.push(await timesOf(serverBid(server, browsers), pool, bidders));
      }
      figures.push(figureOf(bidders, ours.flat(), theirs.flat()));
    }
    return figures;
  } finally {
    for (const connection of connections) connection.close();
    await bare.stop();
  }
}

function figureOf(bidders: number, ours: readonly number[], theirs: readonly number[]): Figure {
  const value = p99(ours) / p99(theirs);
  const [slow, usual, bareSlow, bareUsual] = [p99(ours), median(ours), p99(theirs), median(theirs)].map(
    milliseconds,
  );
  return {
    name: `bids of ${bidders} people, p99`,
    value,
    limit: `at most ${maxRatio}`,
    holds: value <= maxRatio,
    detail: `${slow}, median ${usual}; bare ${bareSlow}, median ${bareUsual}`,
  };
}
