import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { centsPerRand } from "#domain/money.ts";
import { type Child, openChild } from "./child.ts";
import { HttpConnection, rpcRequest } from "./http-connection.ts";
import { type Figure, median, milliseconds } from "./measure.ts";
import { processorTime, sharedNow } from "./processor-time.ts";
import type { Write } from "./raw-writes.ts";
import { newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";
import type { Report, Watch, WatchReport } from "./watching-clients.ts";

const watchers = 1000;
const bidsARun = 200;
const everyMilliseconds = 50;
const rounds = 3;

/** Two people who bid against each other for one product; remembers when each bid was sent. */
function auction(url: string, productId: string, cookies: readonly string[]) {
  const sendTimes = [0];
  async function bid(connection: HttpConnection) {
    const amount = sendTimes.push(sharedNow()) - 1;
    const input = { productId, amount: amount * centsPerRand, idempotencyKey: randomUUID() };
    const cookie = cookies[amount % cookies.length] ?? "";
    const { status } = await connection.send(rpcRequest(url, "auctions.bid", cookie, input));
    if (status !== 200) throw new Error(`a bid was answered with ${status}`);
  }
  return {
    sendTimes,
    /** Sends this many bids, at even intervals. */
    async run(bids: number) {
      // A new connection for this run, because the server closes one that was idle for some seconds.
      const connection = await HttpConnection.open(url);
      const began = sharedNow();
      for (let at = 0; at < bids; at++) {
        await setTimeout(Math.max(0, began + at * everyMilliseconds - sharedNow()));
        await bid(connection);
      }
      connection.close();
    },
  };
}
type Auction = ReturnType<typeof auction>;

/** Returns the milliseconds of a process's processor time that a piece of work takes. */
async function cost(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = await processorTime(pid);
  await work();
  return (await processorTime(pid)) - before;
}

/** Returns the processor time of the server that 1,000 watchers add to a run of bids, and their report. */
async function watched(clients: Child, pid: number, product: Auction, at: Omit<Watch, "watch">) {
  const alone = await cost(pid, () => product.run(bidsARun));
  await clients.ask({ watch: watchers, ...at } satisfies Watch);
  const first = product.sendTimes.length;
  let report: WatchReport | undefined;
  const together = await cost(pid, async () => {
    await product.run(bidsARun);
    // Bids before the watchers came don't count.
    const sendTimes = product.sendTimes.map((time, bid) => (bid < first ? 0 : time));
    report = (await clients.ask({ sendTimes } satisfies Report)) as WatchReport;
  });
  if (!report) throw new Error("the watchers reported nothing");
  return { ...report, added: together - alone };
}

/** Returns the processor time of as many writes of the same bytes by a process that does nothing else. */
async function raw(clients: Child, { deliveries, frame }: WatchReport): Promise<number> {
  const writer = openChild("raw-writes.ts");
  const address = (await writer.ask()) as { port: number };
  await clients.ask({ watch: watchers, port: address.port, path: "/" });
  const times = Math.round(deliveries / watchers);
  const time = await cost(writer.pid, () =>
    writer.ask({ bytes: frame, times, everyMilliseconds } satisfies Write),
  );
  await writer.stop();
  // Here the additional connection that reads nothing gets every write too.
  return time * (watchers / (watchers + 1));
}

/** Measures 1,000 watchers of one product while two people bid 20 times a second; one more watcher stops reading. */
export async function watching(): Promise<Figure[]> {
  const { server, pool, stop } = await openServerFixture();
  const [id = ""] = await newProducts(pool, 1);
  const bidders = [await openBrowser(server), await openBrowser(server)];
  for (const { connection } of bidders) connection.close();
  const cookies = bidders.map(({ cookie }) => cookie);
  const product = auction(server.url, id, cookies);
  const clients = openChild("watching-clients.ts");
  const at = { port: Number(new URL(server.url).port), path: `/live?topics=product:${id}` };
  const [ratios, p99s, ours, bare]: [number[], number[], number[], number[]] = [[], [], [], []];
  // A history as long as the page shows.
  await product.run(20);
  for (let round = 0; round < rounds; round++) {
    const report = await watched(clients, server.pid, product, at);
    const writing = await raw(clients, report);
    p99s.push(report.p99);
    ratios.push(report.added / writing);
    ours.push((report.added / report.deliveries) * 1000);
    bare.push((writing / report.deliveries) * 1000);
  }
  await clients.stop();
  await stop();
  const [value, slowest] = [median(ratios), median(p99s)];
  const detail = `${median(ours).toFixed(1)} µs, raw ${median(bare).toFixed(1)} µs; every watcher saw the last bid`;
  return [
    { name: "a delivery ÷ a raw write", value, limit: "at most 1.5", holds: value <= 1.5, detail },
    {
      name: "bid → event p99, ms",
      value: slowest,
      limit: "at most 100",
      holds: slowest <= 100,
      detail: `${watchers} watchers, ${1000 / everyMilliseconds} bids a second, ${milliseconds(median(p99s))}`,
    },
  ];
}
