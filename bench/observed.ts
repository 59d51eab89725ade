import { randomUUID } from "node:crypto";
import { setInterval } from "node:timers/promises";
import { freePort } from "#tests/server-process.ts";
import { openChild } from "./child.ts";
import { getRequest, HttpConnection, rpcRequest } from "./http-connection.ts";
import { type Figure, median, milliseconds, pair } from "./measure.ts";
import { newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";
import type { Order } from "./trace-sink.ts";

/** Pairs of servers, since two processes of the same program may differ by more than what is measured. */
const rounds = 3;
const [pagesARound, bidsARound, warmUp] = [300, 600, 100];
const most = 1.03;

type Server = Awaited<ReturnType<typeof openSubject>>;

/** A server of its own, and one page and one bid of it. */
async function openSubject(variables: Record<string, string>) {
  const { server, pool, stop } = await openServerFixture({ LOG_LEVEL: "info", ...variables });
  // More than are rendered within the second for which a page is kept.
  const products = await newProducts(pool, pagesARound);
  const [hot = ""] = await newProducts(pool, 1);
  const bidders = [await openBrowser(server), await openBrowser(server)];
  const connection = await HttpConnection.open(server.url);
  let bids = 0;
  const expect200 = ({ status }: { status: number }) => {
    if (status !== 200) throw new Error(`answered with ${status}`);
  };
  return {
    page: async (at: number) =>
      expect200(
        await connection.send(getRequest(server.url, `/product/${products[at % products.length] ?? ""}`)),
      ),
    async bid() {
      const bidder = bidders[bids % 2];
      if (!bidder) throw new Error("there are two bidders");
      const input = { productId: hot, amount: String(++bids), idempotencyKey: randomUUID() };
      expect200(await bidder.connection.send(rpcRequest(server.url, "auctions.bid", bidder.cookie, input)));
    },
    async stop() {
      for (const each of [connection, ...bidders.map((bidder) => bidder.connection)]) each.close();
      await stop();
    },
  };
}

/** Asks for the metrics every five seconds, three times as often as is usual. */
async function scrape(port: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(5000, undefined, { signal }))
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const compare = async (times: number, one: Server, other: Server, what: "page" | "bid") => {
  await pair(
    warmUp,
    (at) => one[what](at),
    (at) => other[what](at),
  );
  return await pair(
    times,
    (at) => one[what](at),
    (at) => other[what](at),
  );
};

/**
 * What a page that has to be rendered and a bid take with metrics that are scraped, the access log and traces of one
 * request in twenty that are sent, as a multiple of what they take without any of it; in turns on two servers.
 */
export async function observed(): Promise<Figure[]> {
  const sink = openChild("trace-sink.ts");
  const tracePort = String(await sink.ask({ ask: "port" } satisfies Order));
  const times: Record<"page" | "bid", { with: number; without: number }[]> = { page: [], bid: [] };
  for (let round = 0; round < rounds; round++) {
    const metricsPort = await freePort();
    const without = await openSubject({});
    const all = await openSubject({
      METRICS_PORT: String(metricsPort),
      ACCESS_LOG: "on",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${tracePort}`,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.05",
    });
    const over = new AbortController();
    const scraping = scrape(metricsPort, over.signal);
    for (const [what, number] of [["page", pagesARound] as const, ["bid", bidsARound] as const]) {
      const [observedTime, plainTime] = await compare(number, all, without, what);
      times[what].push({ with: observedTime, without: plainTime });
    }
    over.abort();
    await scraping;
    await Promise.all([all.stop(), without.stop()]);
  }
  const received = Number(await sink.ask({ ask: "received" } satisfies Order));
  await sink.stop();
  if (received === 0) throw new Error("no traces were sent");
  return (["page", "bid"] as const).map((what) => {
    const value = median(times[what].map((each) => each.with / each.without));
    const of = (key: "with" | "without") => milliseconds(median(times[what].map((each) => each[key])));
    const detail = `${of("with")}, without ${of("without")}; ${received} requests with traces`;
    return {
      name: `observed ${what}, ratio`,
      value,
      limit: `at most ${most}`,
      holds: value <= most,
      detail,
    };
  });
}
