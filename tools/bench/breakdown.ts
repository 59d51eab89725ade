import { randomUUID } from "node:crypto";
import { centsPerRand } from "#domain/money.ts";
import { openTraceReceiver, type ReceivedSpan } from "#tests/fakes/trace-receiver.ts";
import { getRequest, HttpConnection, rpcRequest } from "./http-connection.ts";
import { type Figure, time } from "./measure.ts";
import { newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";

const [bids, pages, warmUp] = [1000, 200, 1500];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const microseconds = (milliseconds: number) => `${Math.round(milliseconds * 1000)} µs`;

/** A kind of request to break down; `whole` has the milliseconds of each request, as the client sees it. */
type Work = { name: string; whole: readonly number[]; roots: readonly string[] };

/** Averages the share of each span in its trace. */
function partsOf({ name, whole, roots }: Work, spans: readonly ReceivedSpan[]): Figure[] {
  const traces = new Set(
    spans.filter((each) => roots.includes(each.name) && each.parentSpanId === "").map((each) => each.traceId),
  );
  const byName = Map.groupBy(
    spans.filter(({ traceId }) => traces.has(traceId)),
    (each) => each.name,
  );
  const mean = sum(whole) / whole.length;
  return [...byName]
    .map(([part, each]) => ({
      part,
      took: sum(each.map(({ milliseconds }) => milliseconds)) / whole.length,
    }))
    .toSorted((one, other) => other.took - one.took)
    .map(({ part, took }) => ({
      name: `${name}: ${part}`,
      value: took / mean,
      limit: "its part of the whole, no limit",
      holds: true,
      detail: `${microseconds(took)} of ${microseconds(mean)}`,
    }));
}

/**
 * Shows how a bid and a page spend their time, by the server's own traces, one request after the other on a warm
 * server. The page shows a product that nobody viewed within the last second, so that it must be rendered.
 */
export async function breakdown(): Promise<Figure[]> {
  const receiver = await openTraceReceiver();
  const { server, pool, stop } = await openServerFixture({
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(receiver.url).origin,
    OTEL_TRACES_SAMPLER: "always_on",
  });
  const products = await newProducts(pool, warmUp + pages);
  const [hot = ""] = await newProducts(pool, 1);
  const bidders = [await openBrowser(server), await openBrowser(server)];
  const visitor = await HttpConnection.open(server.url);
  let amount = 0;
  async function bid(): Promise<void> {
    const bidder = bidders[amount % bidders.length];
    const input = { productId: hot, amount: ++amount * centsPerRand, idempotencyKey: randomUUID() };
    const answer = await bidder?.connection.send(
      rpcRequest(server.url, "auctions.bid", bidder.cookie, input),
    );
    if (answer?.status !== 200) throw new Error(`a bid was answered with ${answer?.status}`);
  }
  async function page(at: number): Promise<void> {
    const { status } = await visitor.send(getRequest(server.url, `/product/${products[at]}`));
    if (status !== 200) throw new Error(`a page was answered with ${status}`);
  }
  let warm = 0;
  const times = { bid: [] as number[], page: [] as number[] };
  try {
    for (let at = 0; at < warmUp; at++) {
      await bid();
      await page(at);
    }
    warm = Date.now();
    for (let at = 0; at < bids; at++) times.bid.push(await time(bid));
    for (let at = 0; at < pages; at++) times.page.push(await time(() => page(warmUp + at)));
  } finally {
    for (const { connection } of bidders) connection.close();
    visitor.close();
    // The server sends its last traces as it stops.
    await stop();
    receiver.close();
  }
  const spans = receiver.spans().filter(({ startedAt }) => startedAt > warm);
  return [
    ...partsOf({ name: "bid", whole: times.bid, roots: ["POST /rpc/auctions/bid", "bids"] }, spans),
    ...partsOf({ name: "page", whole: times.page, roots: ["GET /product/:productId"] }, spans),
  ];
}
