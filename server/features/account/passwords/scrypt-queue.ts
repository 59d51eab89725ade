import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism, constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { Refusal } from "#server/refusal.ts";
import { type Cost, result } from "./messages.ts";

const processFile = fileURLToPath(new URL("process.ts", import.meta.url));
/** One core stays free for everybody else. */
const usualConcurrency = Math.max(1, availableParallelism() - 1);
/** Seconds after which it is worth trying again. */
const retryAfter = 5;

type Waiting = { resolve(keys: string[]): void; reject(error: Error): void };

const busy = () =>
  new Refusal("unavailable", {
    message: "Many people are logging in right now. Please try again in a few seconds.",
    retryAfter,
  });

/**
 * scrypt in a process of its own with a lower priority, which takes neither the threads that read files nor the
 * processor from everybody else. It works on `concurrency` at a time while `mostQueued` wait; one more is refused.
 */
export class ScryptQueue {
  readonly #concurrency: number;
  readonly #most: number;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | null = null;
  #number = 0;

  constructor({ concurrency = usualConcurrency, mostQueued = 20 } = {}) {
    this.#concurrency = concurrency;
    this.#most = concurrency + mostQueued;
  }

  /** The process, while there is one. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** One key a cost. Rejects with a refusal when too many wait. */
  derive(password: string, salt: string, costs: readonly Cost[]): Promise<string[]> {
    if (this.#waiting.size >= this.#most) return Promise.reject(busy());
    const child = this.#child ?? this.#start();
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
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
    this.#waiting.get(number)?.resolve(keys);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) child.channel?.unref();
  }

  #lose(child: ChildProcess) {
    if (this.#child !== child) return;
    this.#child = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("the process for passwords ended"));
    this.#waiting.clear();
  }
}
