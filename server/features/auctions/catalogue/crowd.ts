import { randomUUID } from "node:crypto";
import { shownWatching } from "#domain/crowd.ts";
import type { Bus } from "#server/platform/bus.ts";

const topic = "watching";
/** Milliseconds after which a node's count is forgotten: it may have stopped, or nobody watches there any more. */
const countLasts = 10_000;
/** Counts in one announcement, whose text has to stay under 8,000 bytes. */
const batchSize = 80;

type Count = { people: number; until: number };

/**
 * How many watch each product on all nodes together, as the nodes announce it every few seconds. It holds numbers
 * alone, and says nothing below a crowd.
 */
export class Crowd {
  readonly #self = randomUUID();
  readonly #bus: Bus;
  readonly #onChange: (productId: string) => void;
  /** The counts of each product, by node. */
  readonly #counts = new Map<string, Map<string, Count>>();
  /** The number that was last told of each product. */
  readonly #told = new Map<string, number | null>();

  constructor(bus: Bus, onChange: (productId: string) => void) {
    this.#bus = bus;
    this.#onChange = onChange;
    bus.subscribe(topic, (payload) => this.#receive(payload), { overRedis: true });
  }

  /** Returns the number that everyone may read; null for less than a crowd. */
  of(productId: string): number | null {
    const counts = this.#counts.get(productId)?.values() ?? [];
    return shownWatching([...counts].reduce((sum, { people }) => sum + people, 0));
  }

  /** Announces this node's counts, and forgets those that no node has renewed. */
  async announce(counts: ReadonlyMap<string, number>): Promise<void> {
    this.#forget();
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
      const ofProduct = this.#counts.get(id) ?? new Map<string, Count>();
      ofProduct.set(node, { people: Number(people), until: Date.now() + countLasts });
      this.#counts.set(id, ofProduct);
      this.#tell(id);
    }
  }

  #tell(id: string): void {
    const people = this.of(id);
    if (people === (this.#told.get(id) ?? null)) return;
    if (people === null) this.#told.delete(id);
    else this.#told.set(id, people);
    this.#onChange(id);
  }

  #forget(): void {
    for (const [id, ofProduct] of this.#counts) {
      for (const [node, { until }] of ofProduct) if (until <= Date.now()) ofProduct.delete(node);
      this.#tell(id);
      if (ofProduct.size === 0) this.#counts.delete(id);
    }
  }
}
