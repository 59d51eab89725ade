import type { ProductNews, ProductState } from "#contract/auctions.ts";
import type { Bus } from "#server/platform/bus.ts";
import type { Database } from "#server/platform/database.ts";
import type { Live } from "#server/platform/live.ts";
import type { Log } from "#server/platform/log.ts";
import { createAnnouncer } from "./announcer.ts";
import { readProduct, readVersions, type StoredBid } from "./queries/read-product.ts";
import { createTags, shownBid, shownProduct, withBids } from "./shown-product.ts";

/** Products that one node remembers: some 4 KB each. */
const mostRemembered = 2_000;
/** Milliseconds between two events of one product to its watchers: a burst of bids is told by its latest state. */
const pause = 40;
/** Milliseconds after which what is remembered is compared, in case a node died before it could announce a change. */
const compareEvery = 2_000;

/** A product that was read; `body` is its JSON, written when somebody asks for it. */
type Known = { product: ProductState; body: string | null };
type Found = Known | { product: null; body: null };
/** A read under way. `stale`: the product changed since it began. */
type Reading = { answer: Promise<Found>; stale: boolean };
/** Bids that were accepted, oldest first: `from` was the product's version before them. */
export type Accepted = { productId: string; from: number; version: number; bids: readonly StoredBid[] };

export type ProductStates = ReturnType<typeof createProductStates>;
type Parts = { database: Database; bus: Bus; live: Live; log: Log; secret: string };
const channelOf = (id: string) => `product:${id}`;

/**
 * What everyone sees of the products, in memory: right because every change is announced to all nodes, dropped when
 * announcements may have been missed, and not believed while the event connection is down (architecture, "Live").
 */
export function createProductStates({ database, bus, live, log, secret }: Parts) {
  const known = new Map<string, Known>();
  const reading = new Map<string, Reading>();
  const pauses = new Map<string, { timer: NodeJS.Timeout; again: boolean }>();
  const tagOf = createTags(secret);
  const announcer = createAnnouncer(bus, "product", log);

  function remember(id: string, product: ProductState): Known {
    const entry: Known = { product, body: null };
    known.delete(id);
    known.set(id, entry);
    const [oldest] = known.keys();
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
    return entry;
  }

  const unremembered = (product: ProductState | null): Found =>
    product ? { product, body: null } : { product: null, body: null };

  async function load(id: string, self: Reading): Promise<Found> {
    const stored = await readProduct(database.db, id);
    // It changed while the answer was on its way: what was read may have grown old.
    if (self.stale) return await find(id);
    const product = stored && shownProduct(stored, tagOf);
    const latest = known.get(id);
    if (product && latest && latest.product.version >= product.version) return latest;
    // What is not there is not remembered: anybody can ask for any number of such addresses.
    return product && bus.isTrusted() ? remember(id, product) : unremembered(product);
  }

  /** From memory, or from the database: once for all who ask at the same time. */
  async function find(id: string): Promise<Found> {
    const entry = known.get(id);
    if (entry && bus.isTrusted()) return entry;
    const underWay = reading.get(id);
    if (underWay && !underWay.stale) return await underWay.answer;
    const fresh: Reading = { answer: Promise.resolve({ product: null, body: null }), stale: false };
    reading.set(id, fresh);
    fresh.answer = load(id, fresh).finally(() => {
      if (reading.get(id) === fresh) reading.delete(id);
    });
    return await fresh.answer;
  }

  function forget(id: string) {
    known.delete(id);
    const underWay = reading.get(id);
    if (underWay) underWay.stale = true;
  }

  /** Tells this node's watchers how the product stands: now, or when the pause since the last time is over. */
  function tell(id: string) {
    const current = pauses.get(id);
    if (current) current.again = true;
    else if (live.isWatched(channelOf(id))) {
      pauses.set(id, { again: false, timer: setTimeout(endPause, pause, id) });
      void send(id);
    }
  }

  function endPause(id: string) {
    const again = pauses.get(id)?.again ?? false;
    pauses.delete(id);
    if (again) tell(id);
  }

  async function send(id: string) {
    try {
      const { product } = await find(id);
      const news: ProductNews = { now: Date.now(), product };
      live.deliver(channelOf(id), JSON.stringify(news));
    } catch (error) {
      log.warn({ err: error, product: id }, "the watchers of a product could not be told");
    }
  }

  function lookAgain(id: string) {
    forget(id);
    tell(id);
  }

  /** What this node does not know it can't have wrong. A product that is gone has no version. */
  async function compare() {
    if (!bus.isTrusted()) return;
    const before = new Map([...known].map(([id, { product }]) => [id, product.version]));
    const now = await readVersions(database.db, [...before.keys()]);
    for (const [id, version] of before)
      if (known.get(id)?.product.version === version && now.get(id) !== version) lookAgain(id);
  }
  const comparing = setInterval(
    () =>
      void compare().catch((error: unknown) => log.warn({ err: error }, "products could not be compared")),
    compareEvery,
  );

  /** Another node's news, or our own again: `id version` of bids, `id` alone of anything else. */
  function hear(change: string) {
    const [id = "", version] = change.split(" ");
    const at = known.get(id)?.product.version;
    if (version === undefined || at === undefined || at < Number(version)) lookAgain(id);
  }
  bus.subscribe("product", (payload) => payload.split(",").forEach(hear));
  bus.onGap(() => {
    known.clear();
    for (const underWay of reading.values()) underWay.stale = true;
  });

  return {
    tagOf,
    /** The product as everyone sees it; null for what was removed or never was. */
    read: async (id: string): Promise<ProductState | null> => (await find(id)).product,

    /** The same as JSON. */
    async body(id: string): Promise<string | null> {
      const entry = await find(id);
      if (entry.product) entry.body ??= JSON.stringify(entry.product);
      return entry.body;
    },

    /** Takes over bids that this node has committed, and announces them. */
    accepted(changes: readonly Accepted[]): void {
      for (const { productId, from, version, bids } of changes) {
        const product = known.get(productId)?.product;
        if (product?.version === from) {
          const added = bids.map((bid) => shownBid(tagOf(productId, bid.bidderId), bid));
          remember(productId, withBids(product, version, added));
        } else forget(productId);
        tell(productId);
      }
      announcer.announce(changes.map(({ productId, version }) => `${productId} ${version}`));
    },

    /** To be called after the commit of any other change of these products. */
    changed(ids: readonly string[]): void {
      for (const id of ids) lookAgain(id);
      announcer.announce(ids);
    },

    stop() {
      clearInterval(comparing);
      for (const { timer } of pauses.values()) clearTimeout(timer);
    },
  };
}
