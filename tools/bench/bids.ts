import { randomUUID } from "node:crypto";
import pg from "pg";
import { minIncrement } from "#domain/money.ts";
import type { Server } from "#tests/support/server-process.ts";
import { rpcRequest } from "./http-connection.ts";
import { type Figure, median } from "./measure.ts";
import { type Browser, newProducts, openBrowser, openServerFixture, startingBid } from "./server-fixture.ts";

export const connections = 32;
const rounds = 3;
/** Milliseconds that each kind of bidding goes on in a round. */
const lasting = 4_000;
/** Bids on a product; resolves to whether it was accepted. */
type Bid = (at: number, productId: string, cents: number) => Promise<boolean>;

/** The whole way: HTTP, session, validation, the decision under the lock, the disk. */
export const throughTheServer =
  ({ url }: Pick<Server, "url">, browsers: readonly Browser[]): Bid =>
  async (at, productId, cents) => {
    const who = browsers[at];
    if (!who) throw new Error("there are fewer browsers than connections");
    const input = { productId, amount: cents, idempotencyKey: randomUUID() };
    const { status } = await who.connection.send(rpcRequest(url, "auctions.bid", who.cookie, input));
    if (status !== 200 && status !== 422) throw new Error(`a bid was answered with ${status}`);
    return status === 200;
  };

const statement = `
  with standing as (
    update auction_bidding
    set price = $2::bigint, highest_bidder_id = $3, bid_count = bid_count + 1, version = version + 1
    where product_id = $1::uuid and open
      and $2::bigint >= case when bid_count = 0 then price else price + ${minIncrement} end
    returning bid_count)
  insert into auction_bid (product_id, number, bidder_id, amount, idempotency_key, created_at)
  select $1::uuid, bid_count, $3, $2::bigint, $4::uuid, clock_timestamp() from standing`;

/** The limit for bids: one statement a bid that decides and stores it, and nothing else. */
export const straight =
  (clients: readonly pg.Client[]): Bid =>
  async (at, productId, cents) => {
    const values = [productId, cents, `bidder-${at}`, randomUUID()];
    const answer = await clients[at]?.query({ name: "bid", text: statement, values });
    return answer?.rowCount === 1;
  };

/** Accepted bids a second, from as many connections at once as there are bidders, each on the next product in turn. */
export async function rate(bid: Bid, products: readonly string[], bidders = connections): Promise<number> {
  const prices = products.map(() => startingBid);
  let turn = 0;
  let accepted = 0;
  const began = performance.now();
  const over = () => performance.now() - began > lasting;
  const one = async (at: number) => {
    while (!over()) {
      const place = turn++ % products.length;
      const cents = (prices[place] ?? 0) + minIncrement;
      prices[place] = cents;
      if (await bid(at, products[place] ?? "", cents)) accepted++;
    }
  };
  await Promise.all(Array.from({ length: bidders }, (_, at) => one(at)));
  return accepted / ((performance.now() - began) / 1000);
}

type Kind = { name: string; products: number; least: number };
const kinds: readonly Kind[] = [
  { name: "one hot product", products: 1, least: 3 },
  { name: "100 products", products: 100, least: 0.5 },
];

/** Accepted bids a second through the server, as a multiple of one statement a bid straight to the same PostgreSQL. */
export async function bids(): Promise<Figure[]> {
  const { server, address, pool, stop } = await openServerFixture();
  const clients = Array.from({ length: connections }, () => new pg.Client(address));
  await Promise.all(clients.map((client) => client.connect()));
  const browsers: Browser[] = [];
  for (let at = 0; at < connections; at++) browsers.push(await openBrowser(server));
  const [through, direct] = [throughTheServer(server, browsers), straight(clients)];
  const figures: Figure[] = [];
  try {
    for (const { name, products, least } of kinds) {
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        theirs.push(await rate(direct, await newProducts(pool, products)));
        ours.push(await rate(through, await newProducts(pool, products)));
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
    return figures;
  } finally {
    for (const { connection } of browsers) connection.close();
    await Promise.all(clients.map((client) => client.end()));
    await stop();
  }
}
