import { randomUUID } from "node:crypto";
import { visibleWatcherCount } from "#domain/crowd.ts";
import type { Bus } from "#server/platform/bus.ts";

const topic = "watching";
/** Milliseconds after which a node's count expires: the node may have stopped, or has no viewers any more. */
const countLifetime = 10_000;
/** Counts per announcement, whose text must stay under 8,000 bytes. */
const batchSize = 80;

type Count = { people: number; until: number };

/**
 * Counts the viewers of each product on all nodes together, as the nodes announce them every few seconds. Holds numbers
 * alone, and reveals none below a crowd.
 */
export class Crowd {
  readonly #self = randomUUID();
  readonly #bus: Bus;
  readonly #onChange: (productId: string) => void;
  /** The counts of each product, by node. */
  readonly #counts = new Map<string, Map<string, Count>>();
  /** The last published number of each product. */
  readonly #published = new Map<string, number | null>();

  constructor(bus: Bus, onChange: (productId: string) => void) {
    this.#bus = bus;
    this.#onChange = onChange;
    bus.subscribe(topic, (payload) => this.#receive(payload), { overRedis: true });
  }

  /** Returns the public number; null for less than a crowd. */
  publicCount(productId: string): number | null {
    const counts = this.#counts.get(productId)?.values() ?? [];
    return visibleWatcherCount([...counts].reduce((sum, { people }) => sum + people, 0));
  }

  /** Announces this node's counts, and evicts those that no node has renewed. */
  async announce(counts: ReadonlyMap<string, number>): Promise<void> {
    this.#evictExpired();
    const entries = [...counts].map(([id, people]) => `${id} ${people}`);
    const payloads = Array.from({ length: Math.ceil(entries.length / batchSize) }, (_, at) =>
      [this.#self, ...entries.slice(at * batchSize, (at + 1) * batchSize)].join(","),
    );
    await this.#bus.publish(topic, payloads);
  }

  #receive(payload: string): void {
    const [node = "", ...entries] = payload.split(",");
    for (const entry of entries) {
      const [id = "", people] = entry.split(" ");
      const productCounts = this.#counts.get(id) ?? new Map<string, Count>();
      productCounts.set(node, { people: Number(people), until: Date.now() + countLifetime });
      this.#counts.set(id, productCounts);
      this.#publishChange(id);
    }
  }

  #publishChange(id: string): void {
    const people = this.publicCount(id);
    if (people === (this.#published.get(id) ?? null)) return;
    if (people === null) this.#published.delete(id);
    else this.#published.set(id, people);
    this.#onChange(id);
  }

  #evictExpired(): void {
    for (const [id, productCounts] of this.#counts) {
      for (const [node, { until }] of productCounts) if (until <= Date.now()) productCounts.delete(node);
      this.#publishChange(id);
      if (productCounts.size === 0) this.#counts.delete(id);
    }
  }
}
