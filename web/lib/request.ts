import { type CatalogueCode, catalogue } from "#domain/error-catalogue.ts";
import { serverClock } from "./server-clock.ts";

/** An error of the catalogue that the browser itself detected. */
export class CataloguedError extends Error {
  readonly code: CatalogueCode;
  constructor(code: CatalogueCode, cause?: unknown) {
    super(catalogue[code], { cause });
    this.code = code;
  }
}

export const unansweredEvent = "unanswered";
/** Dispatches an event for every request without an answer. */
export const requests = new EventTarget();
export const reportUnanswered = (): void => void requests.dispatchEvent(new Event(unansweredEvent));

/** Returns the error of a request without an answer, and notifies the watcher of the connection. */
export function unanswered(cause?: unknown): CataloguedError {
  reportUnanswered();
  return new CataloguedError("auth/network-request-failed", cause);
}

/**
 * Returns our server's answer, read to its end; fails with `unanswered` if there is none or it breaks off. Every answer
 * updates the server clock.
 */
export async function request(path: string, init: RequestInit) {
  try {
    const sentAt = performance.now();
    const response = await fetch(path, init);
    const at = Number(response.headers.get("x-server-time"));
    if (at > 0) serverClock.answered(at, sentAt, performance.now());
    return { response, text: await response.text() };
  } catch (error) {
    // A query that nobody waits for any more is cancelled, not failed.
    if (init.signal?.aborted) throw error;
    throw unanswered(error);
  }
}
