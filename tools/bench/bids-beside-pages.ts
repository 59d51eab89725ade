import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { centsPerRand } from "#domain/money.ts";
import { openChild } from "./child.ts";
import { rpcRequest } from "./http-connection.ts";
import { type Figure, median, milliseconds, p99, time } from "./measure.ts";
import type { LoadReport, PageLoads } from "./page-loads.ts";
import { type Browser, newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";

const pagesASecond = 200;
const bidsASecond = 50;
const rounds = 10;
/** Milliseconds of bidding in each round, once with pages and once without. */
const lasting = 6_000;

/** Two people who bid against each other for one product; each run returns its bids' times in milliseconds. */
function auction(url: string, productId: string, bidders: readonly Browser[]) {
  let bids = 0;
  async function bid(): Promise<void> {
    const bidder = bidders[bids % bidders.length];
    const input = { productId, amount: ++bids * centsPerRand, idempotencyKey: randomUUID() };
    const answer = await bidder?.connection.send(rpcRequest(url, "auctions.bid", bidder.cookie, input));
    if (answer?.status !== 200) throw new Error(`a bid was answered with ${answer?.status}`);
  }
  return async (): Promise<number[]> => {
    const times: number[] = [];
    const began = performance.now();
    for (let at = 0; at < (lasting / 1000) * bidsASecond; at++) {
      await setTimeout(Math.max(0, began + (at * 1000) / bidsASecond - performance.now()));
      times.push(await time(bid));
    }
    return times;
  };
}

/** Measures the slowest hundredth of bids beside 200 page loads a second, as a multiple of that without them. */
export async function bidsBesidePages(): Promise<Figure[]> {
  const { server, pool, stop } = await openServerFixture();
  const pages = openChild("page-loads.ts");
  const [id = ""] = await newProducts(pool, 100);
  const bidders = [await openBrowser(server), await openBrowser(server)];
  const run = auction(server.url, id, bidders);
  const paths = ["/auctions", `/product/${id}`, "/"];
  const order = { url: server.url, paths, aSecond: pagesASecond, lasting } satisfies PageLoads;
  const beside = async () => {
    const [bids, loaded] = await Promise.all([run(), pages.ask(order) as Promise<LoadReport>]);
    if (loaded.refused > 0) throw new Error(`${loaded.refused} of ${loaded.loads} pages were refused`);
    return { bids, pages: loaded.p99 };
  };
  try {
    // Warms up the new server, which has compiled no code for either yet.
    await beside();
    const [quiet, loud, pageTimes]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      quiet.push(...(await run()));
      const loaded = await beside();
      loud.push(...loaded.bids);
      pageTimes.push(loaded.pages);
    }
    // All rounds are taken together, since the slowest hundredth of one round is three bids.
    const value = p99(loud) / p99(quiet);
    const figures = [p99(loud), p99(quiet), median(pageTimes)].map(milliseconds);
    return [
      {
        name: "bids beside pages, p99 ratio",
        value,
        limit: "at most 1.3",
        holds: value <= 1.3,
        detail: `${figures[0]} beside ${pagesASecond} pages a second, alone ${figures[1]}; pages ${figures[2]}`,
      },
    ];
  } finally {
    for (const { connection } of bidders) connection.close();
    await pages.stop();
    await stop();
  }
}
