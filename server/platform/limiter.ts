import { Refusal } from "#server/refusal.ts";

type Bounds = {
  /** Pieces of work that run concurrently. */
  running: number;
  /** Pieces that wait for their turn. */
  waiting: number;
  /**
   * Bounds of one key; without them only those of all keys apply. If more than `crowd` pieces of a key wait when one of
   * its pieces ends, the next one begins `pause` milliseconds later, so that the key never has the whole processor.
   */
  ofKey?: { running?: number; waiting?: number; crowd?: number; pause?: number };
  /** Creates the refusal of a piece without room: its own key has too many waiting, or all keys together. */
  refusal?: (whose: "own" | "all") => Refusal;
};

const usualRefusal = (whose: "own" | "all") =>
  new Refusal(whose === "own" ? "resource-exhausted" : "unavailable", { retryAfter: 1 });

/**
 * Bounds the work that runs and that waits, while keys take turns: however much a key queues, each other waiting key
 * gets a piece run before that key gets its next. Limiters nest: if work takes a turn of its account in one and, within
 * it, a turn of its address in another, the accounts of an address take turns too.
 */
export class Limiter {
  readonly #bounds: Bounds;
  readonly #running = new Map<string, number>();
  /** By key, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Keys that queued too much to begin their next piece yet. */
  readonly #pausing = new Set<string>();
  #allRunning = 0;
  #allWaiting = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Does the work when its key's turn comes. Rejects with a refusal where there is no room to wait. */
  async run<Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const leave = await this.take(key, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Resolves when the key's turn comes, to the function that ends it. If `signal` aborts before that, the piece leaves
   * the queue, and this rejects with the signal's reason.
   */
  async take(key: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    this.#requireRoom(key);
    const turn = Promise.withResolvers<void>();
    const abort = () => {
      if (this.#withdraw(key, turn.resolve)) turn.reject(signal?.reason);
    };
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), turn.resolve]);
    this.#allWaiting++;
    signal?.addEventListener("abort", abort);
    this.#startNext();
    try {
      await turn.promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    let hasEnded = false;
    return () => {
      if (!hasEnded) this.#end(key);
      hasEnded = true;
    };
  }

  /** The number of waiting pieces. */
  get waiting(): number {
    return this.#allWaiting;
  }

  #requireRoom(key: string): void {
    const { running, waiting, ofKey, refusal = usualRefusal } = this.#bounds;
    const isRunnable = this.#allRunning < running && this.#mayRun(key);
    if (isRunnable) return;
    const own = this.#waiting.get(key)?.length ?? 0;
    if (own >= (ofKey?.waiting ?? Number.POSITIVE_INFINITY)) throw refusal("own");
    if (this.#allWaiting >= waiting) throw refusal("all");
  }

  #mayRun(key: string): boolean {
    if (this.#pausing.has(key)) return false;
    return (this.#running.get(key) ?? 0) < (this.#bounds.ofKey?.running ?? Number.POSITIVE_INFINITY);
  }

  #startNext(): void {
    while (this.#allRunning < this.#bounds.running) {
      const key = this.#waiting.keys().find((each) => this.#mayRun(each));
      if (key === undefined) return;
      const [start, ...others] = this.#waiting.get(key) ?? [];
      this.#moveBack(key, others);
      this.#allWaiting--;
      this.#allRunning++;
      this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
      start?.();
    }
  }

  #end(key: string): void {
    this.#allRunning--;
    const count = (this.#running.get(key) ?? 0) - 1;
    if (count > 0) this.#running.set(key, count);
    else this.#running.delete(key);
    this.#pauseIfCrowded(key);
    // Puts the key behind those that arrived meanwhile.
    this.#moveBack(key, this.#waiting.get(key) ?? []);
    this.#startNext();
  }

  #pauseIfCrowded(key: string): void {
    const { crowd = Number.POSITIVE_INFINITY, pause = 0 } = this.#bounds.ofKey ?? {};
    const waiting = this.#waiting.get(key)?.length ?? 0;
    if (waiting <= crowd || this.#pausing.has(key)) return;
    this.#pausing.add(key);
    setTimeout(() => {
      this.#pausing.delete(key);
      this.#startNext();
    }, pause);
  }

  /** Puts a key with its waiting pieces behind all others. */
  #moveBack(key: string, pieces: (() => void)[]): void {
    this.#waiting.delete(key);
    if (pieces.length > 0) this.#waiting.set(key, pieces);
  }

  /** Removes a waiting piece; returns false if it has started. */
  #withdraw(key: string, start: () => void): boolean {
    const pieces = this.#waiting.get(key) ?? [];
    if (!pieces.includes(start)) return false;
    const others = pieces.filter((each) => each !== start);
    // The key keeps its place.
    if (others.length > 0) this.#waiting.set(key, others);
    else this.#waiting.delete(key);
    this.#allWaiting--;
    return true;
  }
}
