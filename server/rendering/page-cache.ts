import { LRUCache } from "lru-cache";
import { Limiter } from "#server/platform/limiter.ts";
import { singleFlight } from "#server/platform/memoize.ts";
import { Refusal } from "#server/refusal.ts";
import type { Page } from "./render.ts";

/** Milliseconds for which HTML is sent to whoever asks for the same view. */
const usuallyKeptFor = 1_000;
/** Milliseconds for which a page may stand in for one that there is no room to render. */
const standsInFor = 10 * 60_000;
/** Bytes of all pages that are kept. */
const mostBytes = 32 * 1024 * 1024;

/**
 * The pages that were rendered lately. A view is rendered at most once a second. Two are rendered at a time (while one
 * waits for its data, the other is), one of an address, and addresses take turns: 60 views wait of one, 600 of all. An
 * address of which more than ten wait gets some eight a second. Whoever finds no room gets the page as it was before, if
 * there is one.
 */
export class PageCache {
  readonly #pages: LRUCache<string, Page>;
  readonly #turns = new Limiter({
    running: 2,
    waiting: 600,
    ofKey: { running: 1, waiting: 60, crowd: 10, pause: 100 },
  });
  readonly #once = singleFlight<Page>();

  constructor(keptFor = usuallyKeptFor) {
    this.#pages = new LRUCache({
      max: 1_000,
      maxSize: mostBytes,
      sizeCalculation: ({ text, brotli }) => text.length + brotli.length,
      ttl: keptFor,
      noDeleteOnStaleGet: true,
    });
  }

  /** The page of a view. Rejects with a refusal when too many wait and it was not rendered lately. */
  async get(address: string, view: string, render: () => Promise<Page>): Promise<Page> {
    const fresh = this.#pages.get(view);
    if (fresh) return fresh;
    try {
      // Each address waits by itself: joined to another's turn, a view would wait behind all that that one asks for.
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
    return former?.status === 200 && this.#pages.getRemainingTTL(view) > -standsInFor ? former : undefined;
  }
}
