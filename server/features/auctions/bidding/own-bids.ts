import { coalesce } from "#server/platform/coalesce.ts";
import type { Live } from "#server/platform/live.ts";
import type { Log } from "#server/platform/log.ts";

type Dependencies = { live: Pick<Live, "publishTo">; log: Log };

/** Milliseconds between two broadcasts, so that bids stay fast. */
const pause = 250;
const topic = "own bids";

/** Makes bidders' other tabs and devices reload their own bids. */
export class OwnBids {
  readonly #dependencies: Dependencies;
  readonly #bidders = new Set<string>();
  readonly #broadcastSoon = coalesce(pause, () => void this.#broadcast());

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Call this after the commit of bids by these people. */
  after(bidderIds: readonly string[]): void {
    for (const id of bidderIds) this.#bidders.add(id);
    this.#broadcastSoon(topic, true);
  }

  async #broadcast(): Promise<void> {
    const { live, log } = this.#dependencies;
    const channels = [...this.#bidders].map((id) => `notifications:${id}`);
    this.#bidders.clear();
    await live
      .publishTo(channels, "{}")
      .catch((error: unknown) => log.warn({ err: error }, "bidders could not be told of their own bids"));
  }
}
