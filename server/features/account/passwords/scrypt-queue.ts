import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { Limiter } from "#server/platform/limiter.ts";
import { Refusal } from "#server/refusal.ts";
import { type Cost, result } from "./messages.ts";

const processFile = fileURLToPath(new URL("process.ts", import.meta.url));
/** One core stays free for everybody else. */
const usualConcurrency = Math.max(1, availableParallelism() - 1);
/** Seconds after which it is worth trying again. */
const retryAfter = 5;

/** Pieces of work that wait, of one address and of all, each for known browsers and for strangers. */
const usualRoom = { ofAddress: 20, ofAll: 100 };

/** Whose turn hashing takes. `isKnown`: somebody logged in, or a browser that the account knows. */
export type HashingTurn = { address: string; isKnown: boolean };
type Working = { resolve(keys: string[]): void; reject(error: Error): void };

const busy = () =>
  new Refusal("unavailable", {
    message: "Many people are logging in right now. Please try again in a few seconds.",
    retryAfter,
  });

/**
 * scrypt in a process of its own with a lower priority, which takes neither the threads that read files nor the
 * processor from everybody else. Addresses take turns, and known browsers take every other turn while strangers wait
 * too: no number of strangers can close the login for people who have been here before.
 */
export class ScryptQueue {
  readonly #concurrency: number;
  readonly #addresses: Record<"known" | "strangers", Limiter>;
  readonly #kinds: Limiter;
  readonly #working = new Map<number, Working>();
  #child: ChildProcess | null = null;
  #number = 0;

  constructor({ concurrency = usualConcurrency, room = usualRoom } = {}) {
    this.#concurrency = concurrency;
    const turnsOfAddresses = () =>
      new Limiter({
        running: concurrency,
        waiting: room.ofAll,
        ofKey: { waiting: room.ofAddress },
        refusal: busy,
      });
    this.#addresses = { known: turnsOfAddresses(), strangers: turnsOfAddresses() };
    this.#kinds = new Limiter({ running: concurrency, waiting: 2 * concurrency });
  }

  /** The process, while there is one. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** One key a cost. Rejects with a refusal when too many wait. */
  derive(
    password: string,
    salt: string,
    costs: readonly Cost[],
    { address, isKnown }: HashingTurn,
  ): Promise<string[]> {
    const kind = isKnown ? "known" : "strangers";
    return this.#addresses[kind].run(address, () =>
      this.#kinds.run(kind, () => this.#derive(password, salt, costs)),
    );
  }

  #derive(password: string, salt: string, costs: readonly Cost[]): Promise<string[]> {
    const child = this.#child ?? this.#start();
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#working.set(number, { resolve, reject });
      // Only what waits for an answer keeps this process alive.
      child.channel?.ref();
      child.send({ number, password, salt, costs });
    });
  }

  #start(): ChildProcess {
    const env = { UV_THREADPOOL_SIZE: String(this.#concurrency) };
    const child = fork(processFile, { execArgv: [], env });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.unref();
    child.on("message", (message) => this.#settle(child, message));
    // Of a failed start or a failed message; `exit` need not follow.
    child.once("error", () => this.#lose(child)).once("exit", () => this.#lose(child));
    this.#child = child;
    return child;
  }

  #settle(child: ChildProcess, message: unknown) {
    const { number, keys } = result.parse(message);
    this.#working.get(number)?.resolve(keys);
    this.#working.delete(number);
    if (this.#working.size === 0) child.channel?.unref();
  }

  #lose(child: ChildProcess) {
    if (this.#child !== child) return;
    this.#child = null;
    for (const { reject } of this.#working.values()) reject(new Error("the process for passwords ended"));
    this.#working.clear();
  }
}
