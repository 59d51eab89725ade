import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type BidForm, minIncrement } from "#domain/bid.ts";
import type { Server } from "#tests/support/server-process.ts";
import { bidStatement } from "./bid-statement.ts";
import { rpcRequest } from "./http-connection.ts";
import { type Browser, startingBid } from "./server-fixture.ts";

export const connections = 32;
/** Milliseconds of bidding in each run. */
const duration = 4_000;
/** Bids on a product; resolves to whether it was accepted. */
export type Bid = (at: number, productId: string, cents: number) => Promise<boolean>;

/** Bids through the whole server: HTTP, session, validation, the decision under the lock, the disk. */
export const serverBid =
  ({ url }: Pick<Server, "url">, browsers: readonly Browser[], form: BidForm = "exact"): Bid =>
  async (at, productId, cents) => {
    const who = browsers[at];
    if (!who) throw new Error("there are fewer browsers than connections");
    const input = { productId, form, amount: cents, idempotencyKey: randomUUID() };
    const { status } = await who.connection.send(rpcRequest(url, "auctions.bid", who.cookie, input));
    if (status !== 200 && status !== 422) throw new Error(`a bid was answered with ${status}`);
    return status === 200;
  };

/** Bids by a single statement that decides and stores the bid: the upper limit. */
export const straight =
  (clients: readonly pg.Client[]): Bid =>
  async (at, productId, cents) => {
    const values = [productId, cents, `bidder-${at}`, randomUUID()];
    const answer = await clients[at]?.query({ ...bidStatement, values });
    return answer?.rowCount === 1;
  };

/** Returns accepted bids a second, with one connection per bidder, each bidding on the next product in turn. */
export async function bidInTurns(
  bid: Bid,
  products: readonly string[],
  bidders = connections,
  step = minIncrement,
): Promise<number> {
  const prices = products.map(() => startingBid);
  let turn = 0;
  let accepted = 0;
  const began = performance.now();
  const over = () => performance.now() - began > duration;
  const one = async (at: number) => {
    while (!over()) {
      const place = turn++ % products.length;
      const cents = (prices[place] ?? 0) + step;
      prices[place] = cents;
      if (await bid(at, products[place] ?? "", cents)) accepted++;
    }
  };
  await Promise.all(Array.from({ length: bidders }, (_, at) => one(at)));
  return accepted / ((performance.now() - began) / 1000);
}
