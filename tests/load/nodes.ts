import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { minIncrement } from "#domain/bid.ts";
import { type Bidder, type BidRequest, sendBid } from "#tests/history/bidder.ts";
import { checkHistory } from "#tests/history/check-history.ts";
import type { Lot, Operation, Violation } from "#tests/history/operation.ts";
import { type Cluster, openCluster } from "./cluster.ts";
import { OpenPage } from "./open-page.ts";
import type { Outcome } from "./outcome.ts";
import { storedBids } from "./test-data.ts";
import { withoutStickySessions } from "./without-sticky-sessions.ts";

const [bidders, lots, pages, lotsAPage] = [24, 30, 60, 5];
/** Milliseconds that a bidder waits between two bids. */
const between = 150;
/** Milliseconds within which every open page must learn of every acknowledged bid, whatever happens to the nodes. */
const caughtUpWithin = 5_000;
const pauseOf = 30_000;

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

type AcceptedBid = Operation & { answer: { kind: "accepted" } };
const isAccepted = (operation: Operation): operation is AcceptedBid => operation.answer.kind === "accepted";

/** People who bid repeatedly, and repeat an unanswered bid under its key, on any node. */
class Bidding {
  readonly operations: Operation[] = [];
  sentAgain = 0;
  readonly #cluster: Cluster;
  readonly #least: Map<string, number>;
  readonly #clients: Promise<void>[];
  #over = false;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#least = new Map(cluster.lots.map(({ id, startingBid }) => [id, startingBid]));
    this.#clients = cluster.bidders.map((bidder) => this.#client(bidder));
  }

  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#clients);
  }

  async #client(bidder: Bidder): Promise<void> {
    const others = this.#cluster.lots.filter(({ sellerId }) => sellerId !== bidder.id);
    while (!this.#over) {
      const lot = others[Math.floor(Math.random() * others.length)];
      if (lot) await this.#bid(bidder, lot);
      await pause(between);
    }
  }

  async #bid(bidder: Bidder, { id, startingBid }: Lot): Promise<void> {
    const bidRequest: BidRequest = {
      productId: id,
      key: randomUUID(),
      form: "exact",
      amount: this.#least.get(id) ?? startingBid,
    };
    for (;;) {
      const operation = await sendBid(this.#cluster.url, bidder, bidRequest);
      this.operations.push(operation);
      const { answer } = operation;
      if (answer.kind === "accepted") this.#learn(id, answer.amount + minIncrement);
      if (answer.kind === "tooLow") this.#learn(id, answer.least);
      if (answer.kind !== "unknown") return;
      this.sentAgain++;
      await pause(between);
    }
  }

  #learn(id: string, least: number): void {
    this.#least.set(id, Math.max(least, this.#least.get(id) ?? 0));
  }
}

/** People who load pages meanwhile. */
class Reading {
  loaded = 0;
  readonly failed: string[] = [];
  readonly #clients: Promise<void>[];
  #over = false;

  constructor({ url, lots }: Cluster) {
    const paths = ["/", "/auctions", ...lots.slice(0, 5).map(({ id }) => `/product/${id}`)];
    this.#clients = [0, 1, 2].map((at) => this.#client(url, paths, at));
  }

  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#clients);
  }

  async #client(url: string, paths: readonly string[], from: number): Promise<void> {
    for (let at = from; !this.#over; at++) {
      const path = paths[at % paths.length] ?? "/";
      const answer = await fetch(`${url}${path}`).catch((error: unknown) => String(error));
      if (typeof answer === "string") this.failed.push(answer);
      else {
        await answer.text().catch(() => {});
        if (answer.ok) this.loaded++;
        else this.failed.push(String(answer.status));
      }
      await pause(200);
    }
  }
}

/** Disturbances of the nodes, in order. Each lasts until the cluster is healthy again. */
const events: Record<string, (cluster: Cluster) => Promise<void>> = {
  "all well": () => pause(8_000),
  "one killed": async ({ nodes: [one] }) => {
    await one.kill();
    await pause(8_000);
    await one.start();
    await pause(4_000);
  },
  "one paused for 30 s": async ({ nodes: [, two] }) => {
    two.signal("SIGSTOP");
    await pause(pauseOf);
    two.signal("SIGCONT");
    await pause(8_000);
  },
  "restarted one by one": async ({ nodes }) => {
    for (const node of nodes) {
      await node.stop();
      await node.start();
      // Waits until the balancer has noticed and events travel as before.
      await pause(4_000);
    }
    await pause(4_000);
  },
};

type Phase = { name: string; from: number; to: number };

/**
 * Returns the longest time that a page needed to learn of a bid, in milliseconds after its acknowledgement, or Infinity
 * if a page never did.
 */
function slowest(
  watching: readonly OpenPage[],
  accepted: readonly AcceptedBid[],
  { from, to }: Phase,
): number {
  let most = 0;
  for (const { productId, answer, answeredAt } of accepted) {
    if (answeredAt < from || answeredAt >= to) continue;
    for (const page of watching)
      if (page.productIds.includes(productId))
        most = Math.max(most, (page.knewAt(productId, answer.number) ?? Infinity) - answeredAt);
  }
  return most;
}

/** Repeats each of these bids under its key through every node: the answers must be the same. */
async function repeatBids({ nodes, bidders: all, address, lots: on }: Cluster, bids: readonly AcceptedBid[]) {
  const violations: Violation[] = [];
  const before = (await storedBids(address, on)).bids.length;
  for (const { url } of nodes)
    for (const { bidderId, productId, key, form, amount, answer } of bids) {
      const bidder = all.find(({ id }) => id === bidderId);
      if (!bidder) continue;
      const repeated = (await sendBid(url, bidder, { productId, key, form, amount })).answer;
      if (repeated.kind !== "accepted" || repeated.number !== answer.number)
        violations.push({ rule: "acknowledged bids are stored", detail: `${key}: then ${repeated.kind}` });
    }
  const { bids: after } = await storedBids(address, on);
  if (after.length !== before || new Set(after.map(({ key }) => key)).size !== before)
    violations.push({
      rule: "stored bids were sent",
      detail: `${after.length - before} bids are there twice`,
    });
  return violations;
}

/**
 * Returns how often the balancer took a node out of service. On an overloaded machine this exceeds the number of ended
 * and paused nodes.
 */
const timesDown = ({ balancerLines }: Cluster) =>
  balancerLines.filter((line) => / is DOWN/.test(line)).length;

function checkStores({ variables }: Cluster): Violation[] {
  const env = { ...process.env, ...variables };
  const { status, stdout } = spawnSync(process.execPath, ["scripts/check.ts"], { env, encoding: "utf8" });
  return status === 0 ? [] : [{ rule: "acknowledged bids are stored", detail: `npm run check: ${stdout}` }];
}

/**
 * Sends bids, page loads and event streams through the balancer while nodes are killed, paused and restarted.
 * Afterwards no acknowledged bid may be lost or doubled, and every open page must have learnt of each within five
 * seconds.
 */
export async function bidThroughNodes(eventsUrl?: string): Promise<Outcome> {
  const cluster = await openCluster({ bidders, lots }, eventsUrl);
  try {
    const watching = Array.from({ length: pages }, (_, at) => {
      const ids = Array.from({ length: lotsAPage }, (__, of) => cluster.lots[(at + of * 7) % lots]?.id ?? "");
      return new OpenPage(cluster.url, ids);
    });
    while (watching.some(({ opened }) => opened === 0)) await pause(50);
    // Gives the nodes time to agree on Redis, if there is one.
    await pause(3_000);
    const [bidding, reading] = [new Bidding(cluster), new Reading(cluster)];
    const phases: (Phase & { failed: number })[] = [];
    for (const [name, happen] of Object.entries(events)) {
      const [from, before] = [performance.now(), reading.failed.length];
      await happen(cluster);
      phases.push({ name, from, to: performance.now(), failed: reading.failed.length - before });
    }
    await Promise.all([bidding.stop(), reading.stop()]);
    await pause(caughtUpWithin);
    const accepted = bidding.operations.filter(isAccepted);
    const violations = checkHistory(
      {
        operations: bidding.operations,
        ...(await storedBids(cluster.address, cluster.lots)),
        lots: cluster.lots,
      },
      { faults: true },
    );
    const waits = phases.map((phase) => {
      return { name: phase.name, failed: phase.failed, wait: slowest(watching, accepted, phase) };
    });
    for (const { name, wait } of waits)
      if (wait > caughtUpWithin)
        violations.push({ rule: "every call is answered", detail: `${name}: a page knew after ${wait} ms` });
    for (const page of watching) page.close();
    violations.push(...(await repeatBids(cluster, accepted.slice(-100))), ...checkStores(cluster));
    violations.push(...(await withoutStickySessions(cluster)));
    const seconds = waits.map(
      ({ name, wait, failed }) => `${name} ${(wait / 1000).toFixed(1)} s (${failed} pages failed)`,
    );
    const figures =
      `${accepted.length} bids acknowledged, ${bidding.sentAgain} sent again under their key, ` +
      `${reading.loaded} pages loaded, nodes out of use ${timesDown(cluster)} times of the 5 that are meant; a page knew of a bid after at most: ${seconds.join(", ")}`;
    return { violations, figures };
  } finally {
    await cluster.stop();
  }
}
