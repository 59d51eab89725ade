import { randomUUID } from "node:crypto";
import { setInterval } from "node:timers/promises";
import { centsPerRand } from "#domain/money.ts";
import { freePort } from "#tests/support/server-process.ts";
import { openChild } from "./child.ts";
import { getRequest, rpcRequest } from "./http-connection.ts";
import { type Figure, median, milliseconds } from "./measure.ts";
import type { Series, SeriesPair } from "./paired-requests.ts";
import { newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";
import type { Order } from "./trace-sink.ts";

/** Number of pairs of servers: two processes of one program may differ by more than the measured effect. */
const rounds = 3;
const [pagesARound, bidsARound, warmUp] = [300, 1500, 1500];
const most = 1.03;

/** Opens a server, and requests for its pages and bids. */
async function openSubject(variables: Record<string, string>) {
  const { server, pool, stop } = await openServerFixture({ LOG_LEVEL: "info", ...variables });
  // More than are rendered within the second for which a page is cached.
  const products = await newProducts(pool, pagesARound);
  const [hot = ""] = await newProducts(pool, 1);
  const bidders = [await openBrowser(server), await openBrowser(server)];
  let bids = 0;
  function bid(): string {
    const { cookie = "" } = bidders[bids % bidders.length] ?? {};
    const input = { productId: hot, amount: ++bids * centsPerRand, idempotencyKey: randomUUID() };
    return rpcRequest(server.url, "auctions.bid", cookie, input);
  }
  const page = (at: number) => getRequest(server.url, `/product/${products[at % products.length] ?? ""}`);
  return {
    series: (what: "page" | "bid", length: number): Series => ({
      url: server.url,
      requests: Array.from({ length }, (_, at) => (what === "page" ? page(at) : bid())),
    }),
    async stop() {
      for (const { connection } of bidders) connection.close();
      await stop();
    },
  };
}

/** Requests the metrics every five seconds, three times as often as usual. */
async function scrape(port: number, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(5000, undefined, { signal }))
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Compares rendering a page and bidding with scraped metrics and one request in twenty traced, as a multiple of the
 * time without either; in turn on two servers. Both are warmed up first, because code that is not compiled yet costs
 * several times as much.
 */
export async function observed(): Promise<Figure[]> {
  const [sink, client] = [openChild("trace-sink.ts"), openChild("paired-requests.ts")];
  const tracePort = String(await sink.ask({ ask: "port" } satisfies Order));
  const times: Record<"page" | "bid", { with: number; without: number }[]> = { page: [], bid: [] };
  for (let round = 0; round < rounds; round++) {
    const metricsPort = await freePort();
    const without = await openSubject({});
    const all = await openSubject({
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${tracePort}`,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.05",
    });
    const over = new AbortController();
    const scraping = scrape(metricsPort, over.signal);
    for (const [what, number] of [["page", pagesARound] as const, ["bid", bidsARound] as const]) {
      const send = async (length: number) => {
        const order = {
          one: all.series(what, length),
          other: without.series(what, length),
        } satisfies SeriesPair;
        return (await client.ask(order)) as readonly [number, number];
      };
      await send(warmUp);
      const [observedTime, plainTime] = await send(number);
      times[what].push({ with: observedTime, without: plainTime });
    }
    over.abort();
    await scraping;
    await Promise.all([all.stop(), without.stop()]);
  }
  const received = Number(await sink.ask({ ask: "received" } satisfies Order));
  await Promise.all([sink.stop(), client.stop()]);
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
