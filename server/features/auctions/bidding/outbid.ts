import { setTimeout } from "node:timers/promises";
import { requests } from "#server/platform/request-context.ts";
import type { Services } from "#server/services.ts";
import { notifyOutbid } from "./commands/notify-outbid.ts";
import { recentlyBidFor } from "./queries/pending-outbid.ts";

/** Products whose bidders one transaction notifies. */
const batchSize = 100;
/** Milliseconds between two batches: the first bid's news come at once, those of a fast exchange once a second. */
const pause = 1_000;

type Dependencies = Pick<Services, "database" | "jobs" | "live" | "log">;

/**
 * Notifies people that they were outbid, after the bid and apart from it, so that bids stay fast. What a crash leaves
 * pending stands in the database, and a sweep finds it.
 */
export class OutbidNotifier {
  readonly #services: Dependencies;
  readonly #pending = new Set<string>();
  #isRunning = false;
  #batch: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(services: Dependencies) {
    this.#services = services;
  }

  /** To be called after the commit of bids for these products. */
  after(productIds: readonly string[]): void {
    for (const id of productIds) this.#pending.add(id);
    if (!this.#isRunning) void requests.exit(() => this.#run());
  }

  /** Checks again what was bid for in the last so many seconds: whoever took those bids may have died since. */
  async sweep(seconds: number): Promise<void> {
    this.after(await recentlyBidFor(this.#services.database.db, seconds));
  }

  /** Lets the running batch finish. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#batch;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#pending.size > 0 && !this.#isStopped) {
      const ids = [...this.#pending].slice(0, batchSize);
      for (const id of ids) this.#pending.delete(id);
      this.#batch = this.#notify(ids);
      await this.#batch;
      await setTimeout(pause);
    }
    this.#isRunning = false;
  }

  /** Together; or, should that fail, each for itself, so that one does not hold up the others. */
  async #notify(ids: readonly string[]): Promise<void> {
    try {
      await this.#notifySome(ids);
    } catch (error) {
      this.#services.log.warn({ err: error, products: ids.length }, "outbid bidders could not be notified");
      if (ids.length > 1) await Promise.all(ids.map((id) => this.#notifySome([id]).catch(() => {})));
    }
  }

  /** Some of those who are pending; the others follow in a later batch. */
  async #notifySome(ids: readonly string[]): Promise<void> {
    if (await notifyOutbid(this.#services, ids)) for (const id of ids) this.#pending.add(id);
  }
}
