import pg from "pg";
import { bidInTurns, connections, serverBid, straight } from "./bid-in-turns.ts";
import { bidTimes } from "./bid-times.ts";
import { limitedBids } from "./limited-bids.ts";
import { type Figure, median } from "./measure.ts";
import { type Browser, newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";

const rounds = 3;

type Kind = { name: string; products: number; least: number };
const kinds: readonly Kind[] = [
  { name: "one hot product", products: 1, least: 3 },
  { name: "100 products", products: 100, least: 0.3 },
];

/**
 * Measures accepted bids a second through the server, as a multiple of single statements to the same PostgreSQL, and
 * the time of the slowest bids.
 */
export async function bids(): Promise<Figure[]> {
  const { server, address, pool, stop } = await openServerFixture();
  const clients = Array.from({ length: connections }, () => new pg.Client(address));
  await Promise.all(clients.map((client) => client.connect()));
  const browsers: Browser[] = [];
  for (let at = 0; at < connections; at++) browsers.push(await openBrowser(server));
  const [through, direct] = [serverBid(server, browsers), straight(clients)];
  const figures: Figure[] = [];
  try {
    for (const { name, products, least } of kinds) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        theirs.push(await bidInTurns(direct, await newProducts(pool, products)));
        ours.push(await bidInTurns(through, await newProducts(pool, products)));
      }
      const value = median(ours) / median(theirs);
      const detail = `${median(ours).toFixed(0)} bids/s, straight ${median(theirs).toFixed(0)}`;
      figures.push({
        name: `bids, ${name}`,
        value,
        limit: `at least ${least}`,
        holds: value >= least,
        detail,
      });
    }
    figures.push(...(await limitedBids(server, pool, browsers)));
    return [...figures, ...(await bidTimes(server, address, pool, browsers))];
  } finally {
    for (const { connection } of browsers) connection.close();
    await Promise.all(clients.map((client) => client.end()));
    await stop();
  }
}
