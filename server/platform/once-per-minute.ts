import { errorCode } from "./error-code.ts";

const minute = 60_000;

/** Lets the first failure of each cause in a minute through, so that an outage does not fill the log. */
export class OncePerMinute {
  readonly #last = new Map<string, number>();

  /** `now`: milliseconds of a monotonic clock. */
  isDue(failure: unknown, now = performance.now()): boolean {
    for (const [cause, at] of this.#last) if (now - at >= minute) this.#last.delete(cause);
    const { message }: { message?: unknown } = Object(failure);
    const cause = errorCode(failure) ?? String(message ?? failure);
    if (this.#last.has(cause)) return false;
    this.#last.set(cause, now);
    return true;
  }
}
