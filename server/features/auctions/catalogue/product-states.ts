import { LRUCache } from "lru-cache";
import type { ProductState, ProductUpdate } from "#contract/auctions.ts";
import type { CardUpdate } from "#contract/listed-products.ts";
import { isCounted } from "#domain/crowd.ts";
import type { Bus } from "#server/platform/bus.ts";
import { coalesce } from "#server/platform/coalesce.ts";
import type { Database } from "#server/platform/database.ts";
import type { Keys } from "#server/platform/keys.ts";
import type { Live } from "#server/platform/live.ts";
import type { Log } from "#server/platform/log.ts";
import { Crowd } from "./crowd.ts";
import {
  cardOf,
  readProduct,
  readVersions,
  type StoredBid,
  shownBid,
  type TagOf,
  tagger,
  withBids,
} from "./read-product.ts";

/** Maximum number of products that one node caches, about 4 KB each. */
const maxCached = 2_000;
/** Milliseconds between two events of one product to its watchers, who see a burst of bids as its latest state. */
const broadcastPause = 40;
/** Milliseconds between two events of one product to lists that show it. */
const cardPause = 1_000;
/**
 * Milliseconds between two announcements to the other nodes: a busy auction must not cost a round trip per bid.
 */
const publishPause = 20;
/** Changes per announcement, whose text must stay under 8,000 bytes. */
const batchSize = 100;
/** Milliseconds after which cached states are compared, in case a node died before it could announce a change. */
const compareInterval = 2_000;

/** Milliseconds between two counts of the people who watch the end of an auction. */
const countInterval = 3_000;

const topic = "product";
const channelOf = (id: string) => `product:${id}`;
const cardChannelOf = (id: string) => `card:${id}`;

/** A running read. `stale` means that the product has changed since it began. */
type PendingRead = { answer: Promise<ProductState | null>; stale: boolean };
/**
 * Accepted public bids, oldest first, and the resulting end. Each raised the product's version by one, the last to
 * `version`.
 */
export type AcceptedBids = {
  productId: string;
  version: number;
  endDate: Date;
  bids: readonly StoredBid[];
};

type Dependencies = { database: Database; bus: Bus; live: Live; log: Log; keys: Pick<Keys, "signer"> };

/**
 * Caches the public state of products in memory. The cache is valid because every change is announced to all nodes. It
 * is evicted when announcements may have been missed, and not trusted while the event connection is down
 * (docs/auctions.md, "What everyone sees").
 */
export class ProductStates {
  readonly tagOf: TagOf;
  readonly #services: Omit<Dependencies, "keys">;
  readonly #cached = new LRUCache<string, ProductState>({ max: maxCached });
  readonly #reading = new Map<string, PendingRead>();
  readonly #unpublished = new Set<string>();
  readonly #broadcastSoon = coalesce<true>(broadcastPause, (id) => void this.#broadcast(id));
  readonly #broadcastCardSoon = coalesce<true>(cardPause, (id) => void this.#broadcastCard(id));
  readonly #publishSoon = coalesce<true>(publishPause, () => void this.#publish());
  readonly #comparing: NodeJS.Timeout;
  readonly #counting: NodeJS.Timeout;
  readonly #crowd: Crowd;

  constructor({ keys, ...services }: Dependencies) {
    this.tagOf = tagger(keys);
    this.#services = services;
    const onChanges = (payload: string) => {
      for (const change of payload.split(",")) this.#onRemoteChange(change);
    };
    services.bus.subscribe(topic, onChanges, { overRedis: true });
    services.bus.onGap(() => {
      this.#cached.clear();
      for (const reading of this.#reading.values()) reading.stale = true;
    });
    this.#comparing = setInterval(() => void this.#compare(), compareInterval);
    this.#crowd = new Crowd(services.bus, (id) => this.#scheduleBroadcast(id));
    this.#counting = setInterval(() => void this.countWatchers(), countInterval);
  }

  /**
   * Returns the product as everyone sees it; null if it was removed or never existed. It comes from memory, or from the
   * database with one query for all concurrent callers.
   */
  async read(id: string): Promise<ProductState | null> {
    const cached = this.#cached.get(id);
    if (cached && this.#services.bus.isTrusted()) return cached;
    const reading = this.#reading.get(id);
    if (reading && !reading.stale) return await reading.answer;
    const fresh: PendingRead = { answer: Promise.resolve(null), stale: false };
    this.#reading.set(id, fresh);
    fresh.answer = this.#load(id, fresh).finally(() => {
      if (this.#reading.get(id) === fresh) this.#reading.delete(id);
    });
    return await fresh.answer;
  }

  /** Adds bids to the cache after this node has committed them, and announces them. */
  accepted(changes: readonly AcceptedBids[]): void {
    for (const { productId, version, endDate, bids } of changes) {
      const product = this.#cached.get(productId);
      if (product?.version === version - bids.length) {
        const newBids = bids.map((bid) => shownBid(this.tagOf(productId, bid.bidderId), bid, true));
        this.#cached.set(productId, withBids(product, { version, endDate, added: newBids }));
      } else this.#evict(productId);
      this.#scheduleBroadcast(productId);
    }
    this.#announce(changes.map(({ productId, version }) => `${productId} ${version}`));
  }

  /** Call this after the commit of any other change of these products. */
  changed(ids: readonly string[]): void {
    for (const id of ids) this.#refresh(id);
    this.#announce(ids);
  }

  /** Announces how many people on this node watch auctions that are about to end. */
  async countWatchers(): Promise<void> {
    const { live, log } = this.#services;
    const ending = [...this.#cached].filter(
      ([, { state, endDate }]) => state === "open" && isCounted(endDate, Date.now()),
    );
    const counts = ending.map(([id]) => [id, live.countPeople(channelOf(id))] as const);
    await this.#crowd.announce(new Map(counts.filter(([, people]) => people > 0))).catch((error: unknown) => {
      log.warn({ err: error, topic }, "watchers could not be announced");
    });
  }

  stop(): void {
    clearInterval(this.#comparing);
    clearInterval(this.#counting);
  }

  async #load(id: string, self: PendingRead): Promise<ProductState | null> {
    const product = await readProduct(this.#services.database.db, id, this.tagOf);
    // The product changed while it was read, so the result may be outdated.
    if (self.stale) return await this.read(id);
    // Missing products are not cached, since anyone can request any number of such addresses.
    if (!product) return null;
    const latest = this.#cached.get(id);
    if (latest && latest.version >= product.version) return latest;
    this.#cached.set(id, product);
    // The product was read while its event was on its way, or the event was lost.
    if (latest) this.#scheduleBroadcast(id);
    return product;
  }

  #evict(id: string): void {
    this.#cached.delete(id);
    const reading = this.#reading.get(id);
    if (reading) reading.stale = true;
  }

  #refresh(id: string): void {
    this.#evict(id);
    this.#scheduleBroadcast(id);
  }

  /** Handles a change by another node, or the echo of our own: `id version` for bids, `id` alone for anything else. */
  #onRemoteChange(change: string): void {
    const [id = "", version] = change.split(" ");
    const cached = this.#cached.get(id)?.version;
    if (version === undefined || cached === undefined || cached < Number(version)) this.#refresh(id);
  }

  #scheduleBroadcast(id: string): void {
    const { live } = this.#services;
    if (live.isWatched(channelOf(id))) this.#broadcastSoon(id, true);
    if (live.isWatched(cardChannelOf(id))) this.#broadcastCardSoon(id, true);
  }

  /** Sends the product's latest state to this node's watchers. */
  async #broadcast(id: string): Promise<void> {
    const { live, log } = this.#services;
    if (!live.isWatched(channelOf(id))) return;
    try {
      const product = await this.read(id);
      const watching = this.#crowd.publicCount(id);
      const update: ProductUpdate = { now: Date.now(), product, ...(watching !== null && { watching }) };
      live.deliver(channelOf(id), JSON.stringify(update));
    } catch (error) {
      log.warn({ err: error, product: id }, "a product's state could not be broadcast");
    }
  }

  /** Sends the product's card to the lists that show it. */
  async #broadcastCard(id: string): Promise<void> {
    const { live, log } = this.#services;
    if (!live.isWatched(cardChannelOf(id))) return;
    try {
      const product = await this.read(id);
      const update: CardUpdate = { now: Date.now(), card: product && cardOf(product) };
      live.deliver(cardChannelOf(id), JSON.stringify(update));
    } catch (error) {
      log.warn({ err: error, product: id }, "a product's card could not be broadcast");
    }
  }

  #announce(changes: readonly string[]): void {
    for (const change of changes) this.#unpublished.add(change);
    this.#publishSoon(topic, true);
  }

  /** Announces changes to all nodes. `#compare` finds those whose announcement is lost. */
  async #publish(): Promise<void> {
    const { bus, log } = this.#services;
    const changes = [...this.#unpublished];
    this.#unpublished.clear();
    const payloads = Array.from({ length: Math.ceil(changes.length / batchSize) }, (_, at) =>
      changes.slice(at * batchSize, (at + 1) * batchSize).join(","),
    );
    await bus.publish(topic, payloads).catch((error: unknown) => {
      log.warn({ err: error, topic }, "an announcement failed");
    });
  }

  /**
   * Compares the cached versions with the database and refreshes the outdated ones. A product that is gone has no
   * version.
   */
  async #compare(): Promise<void> {
    const { database, log } = this.#services;
    const before = new Map([...this.#cached].map(([id, { version }]) => [id, version]));
    try {
      const now = await readVersions(database.db, [...before.keys()]);
      for (const [id, version] of before)
        if (this.#cached.get(id)?.version === version && now.get(id) !== version) this.#refresh(id);
    } catch (error) {
      log.warn({ err: error }, "products could not be compared");
    }
  }
}
