import { AsyncLocalStorage } from "node:async_hooks";

/** Nothing is queued for this account any more: too much of it waits already, or too many accounts do. */
export const crowded = Symbol("crowded");

type Limits = {
  /** What one account may have waiting, its running work included. */
  ofAccount: number;
  accounts: number;
};
type Work = () => Promise<void>;

/**
 * Work that is done one piece after the other, with the accounts taking turns: however much one of them brings, another
 * waits for a single piece of it.
 */
export class Turns {
  /** By account; the first account is the one whose turn it is. */
  readonly #waiting = new Map<string, Work[]>();
  readonly #limits: Limits;
  #isWorking = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Does the work when its turn comes. */
  take<Result>(account: string, work: () => Promise<Result>): Promise<Result | typeof crowded> {
    const own = this.#waiting.get(account);
    const isFull = own ? own.length >= this.#limits.ofAccount : this.#waiting.size >= this.#limits.accounts;
    if (isFull) return Promise.resolve(crowded);
    return new Promise((resolve, reject) => {
      // Another request may be the one that comes to it.
      const piece = AsyncLocalStorage.bind(() => work().then(resolve, reject));
      if (own) own.push(piece);
      else this.#waiting.set(account, [piece]);
      if (!this.#isWorking) void this.#workNext();
    });
  }

  async #workNext(): Promise<void> {
    const [first] = this.#waiting;
    this.#isWorking = first !== undefined;
    if (!first) return;
    const [account, own] = first;
    await own[0]?.();
    own.shift();
    // Behind those who came meanwhile.
    this.#waiting.delete(account);
    if (own.length > 0) this.#waiting.set(account, own);
    void this.#workNext();
  }
}
