import { LRUCache } from "lru-cache";
import { Limiter } from "#server/platform/limiter.ts";
import { singleFlight } from "#server/platform/memoize.ts";
import { Refusal } from "#server/refusal.ts";
import type { Page } from "./render.ts";

/** Milliseconds for which HTML is sent to everyone who requests the same view. */
const defaultTtl = 1_000;
/** Milliseconds for which a stale page may replace one that there is no room to render. */
const maxStaleness = 10 * 60_000;
/** Most bytes of all cached pages. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Caches rendered pages. A view is rendered at most once a second. Two are rendered concurrently (one while the other
 * waits for its data), one of an address, and addresses take turns: 60 views of one may wait, 600 of all. An address
 * with more than ten waiting gets about eight a second. A request without room gets the previous page, if there is one.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Page>;
  readonly #turns = new Limiter({
    running: 2,
    waiting: 600,
    ofKey: { running: 1, waiting: 60, crowd: 10, pause: 100 },
  });
  readonly #once = singleFlight<Page>();

  constructor(ttl = defaultTtl) {
    this.#pages = new LRUCache({
      max: 1_000,
      maxSize: mostBytes,
      sizeCalculation: ({ text, brotli }) => text.length + brotli.length,
      ttl,
      noDeleteOnStaleGet: true,
    });
  }

  /** Returns the page of a view. Rejects with a refusal when too many wait and it was not rendered recently. */
  async get(address: string, view: string, render: () => Promise<Page>): Promise<Page> {
    const fresh = this.#pages.get(view);
    if (fresh) return fresh;
    try {
      // Each address waits separately: in another's turn, a view would wait behind everything that the other requests.
      return await this.#once(`${address} ${view}`, () =>
        this.#turns.run(address, async () => this.#pages.get(view) ?? (await this.#render(view, render))),
      );
    } catch (error) {
      const former = error instanceof Refusal ? this.#formerOf(view) : undefined;
      if (former === undefined) throw error;
      return former;
    }
  }

  #render(view: string, render: () => Promise<Page>): Promise<Page> {
    return this.#once(view, async () => {
      const page = await render();
      this.#pages.set(view, page);
      return page;
    });
  }

  #formerOf(view: string): Page | undefined {
    const former = this.#pages.get(view, { allowStale: true });
    return former?.status === 200 && this.#pages.getRemainingTTL(view) > -maxStaleness ? former : undefined;
  }
}
