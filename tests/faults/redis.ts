import { setTimeout } from "node:timers/promises";
import { openProxy } from "#tests/fakes/proxy.ts";
import { Redis } from "#tests/fakes/redis.ts";
import type { Operation } from "#tests/history/operation.ts";
import { OpenPage } from "#tests/load/open-page.ts";
import { freePort } from "#tests/support/server-process.ts";
import { type Fixture, type Report, slackFactor, underLoad } from "./fixture.ts";
import type { Load } from "./load.ts";
import { untilMetric } from "./metrics.ts";
import { withFixture } from "./postgres.ts";

/** Milliseconds for which Redis is down. */
const away = 20_000;
/** Milliseconds within which every open page must learn of every acknowledged bid, whatever happens to Redis. */
const learntWithin = 5_000;
/** Number of open pages on each node, and of products that each of them watches. */
const [pagesOfNode, lotsOfPage] = [20, 5];

type AcceptedBid = Operation & { answer: { kind: "accepted" } };
const isAccepted = (operation: Operation): operation is AcceptedBid => operation.answer.kind === "accepted";

function openPages({ servers, lots }: Fixture): OpenPage[] {
  const lotOf = (page: number, of: number) => lots[(page + of * 7) % lots.length]?.id ?? "";
  return servers.flatMap(({ url }) =>
    Array.from({ length: pagesOfNode }, (_, page) => {
      const ids = Array.from({ length: lotsOfPage }, (__, of) => lotOf(page, of));
      return new OpenPage(url, ids);
    }),
  );
}

/**
 * Returns the longest time that a page needed to learn of one of these bids, in milliseconds from its acknowledgement.
 */
function slowest(pages: readonly OpenPage[], bids: readonly AcceptedBid[]): number {
  const waits = bids.flatMap(({ productId, answer, answeredAt }) =>
    pages
      .filter(({ productIds }) => productIds.includes(productId))
      .map((page) => (page.knewAt(productId, answer.number) ?? Number.POSITIVE_INFINITY) - answeredAt),
  );
  return Math.round(waits.reduce((one, other) => Math.max(one, other), 0));
}

/** Lists pages that still differ from the database after they had time to catch up. */
async function wrongPages({ cluster }: Fixture, pages: readonly OpenPage[]): Promise<string[]> {
  const rows = await cluster.ask<{ id: string; price: string; bidCount: number }>(
    'select product_id as id, price, bid_count as "bidCount" from auction_bidding',
  );
  const states = new Map(rows.map(({ id, price, bidCount }) => [id, `${price} after ${bidCount} bids`]));
  const wrong = () =>
    pages.flatMap((page) =>
      page.productIds.flatMap((id) => {
        const { price, bidCount } = page.shown(id) ?? {};
        const pageState = `${price} after ${bidCount} bids`;
        return pageState === states.get(id)
          ? []
          : [`a page shows ${pageState} in place of ${states.get(id)}`];
      }),
    );
  const deadline = performance.now() + learntWithin;
  while (wrong().length > 0 && performance.now() < deadline) await setTimeout(50);
  return wrong();
}

/** Lists refused requests: Redis must never cause any. */
const refused = ({ done }: Load): string[] => {
  const others = done.filter(({ status }) => status !== 200);
  return others.length === 0 ? [] : [`${others.length} requests were refused`];
};

/** Breaks Redis, which carries the events of bids: to one node directly, to the other through a proxy. */
export async function redisFails(report: Report): Promise<void> {
  const redis = await Redis.open();
  const proxy = await openProxy(() => ({ host: "127.0.0.1", port: Number(new URL(redis.url).port) }));
  const through = new URL(redis.url);
  through.port = String(proxy.port);
  const metrics = [String(await freePort()), String(await freePort())];
  const carriedBy = (carrier: "redis" | "postgres") =>
    untilMetric(metrics, `wayfare_events_over_redis ${carrier === "redis" ? 1 : 0}`);
  const mend = () => proxy.be("forward");
  const ways: Record<string, [fail: () => unknown, mend: () => unknown]> = {
    "Redis is killed (kill -9) and started again": [() => redis.kill(), () => redis.start()],
    "Redis is paused": [() => redis.pause(), () => redis.resume()],
    "one node is cut off from Redis, connections closed and refused": [() => proxy.be("refuse"), mend],
    "one node is cut off from Redis, packets vanish": [() => proxy.be("swallow"), mend],
  };
  const variables = (node: number) => ({
    EVENTS_URL: node === 0 ? redis.url : through.href,
    METRICS_PORT: metrics[node] ?? "",
  });
  try {
    await withFixture({ variables }, async (fixture) => {
      const pages = openPages(fixture);
      while (pages.some(({ opened }) => opened === 0)) await setTimeout(50);
      await carriedBy("redis");
      for (const [name, [fail, goOn]] of Object.entries(ways)) {
        const operationCount = fixture.operations.length;
        report(
          await underLoad(fixture, `${name} (${away / 1000} s)`, async (load, before) => {
            const began = performance.now();
            const bids = () => fixture.operations.slice(operationCount).filter(isAccepted);
            const waitOf = (from: number, to: number) =>
              slowest(
                pages,
                bids().filter(({ answeredAt }) => answeredAt >= from && answeredAt < to),
              );
            // Bids acknowledged within the last second may still be travelling to the other node.
            const undisturbed = performance.now() - 1_000;
            await fail();
            const fellBack = await carriedBy("postgres");
            await setTimeout(began + away - performance.now());
            await goOn();
            const mended = performance.now();
            const returned = await carriedBy("redis");
            await setTimeout(3_000);
            return {
              said: () =>
                [
                  `over PostgreSQL after ${fellBack} ms`,
                  `over Redis again ${returned} ms after it could be reached`,
                  `${pages.length} pages knew of a bid after at most ${waitOf(0, undisturbed)} ms before`,
                  `${waitOf(undisturbed, mended)} ms meanwhile`,
                  `${waitOf(mended, Number.POSITIVE_INFINITY)} ms afterwards`,
                ].join(", "),
              after: async () => {
                const wrong = await wrongPages(fixture, pages);
                const wait = slowest(pages, bids());
                const within = learntWithin + slackFactor * before.bid;
                const late = wait <= within ? [] : [`a page knew of a bid after ${wait} ms`];
                return [...wrong, ...late, ...refused(load)];
              },
            };
          }),
        );
      }
      for (const page of pages) page.close();
    });
  } finally {
    await proxy.stop();
    await redis.kill();
  }
}
