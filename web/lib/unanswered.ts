import { CataloguedError } from "./catalogued-error.ts";

export const unansweredEvent = "unanswered";
/** Tells of every request that got no answer. */
export const requests = new EventTarget();

/** The error of a request without an answer. Whoever watches the connection hears of it. */
export function unanswered(cause?: unknown): CataloguedError {
  requests.dispatchEvent(new Event(unansweredEvent));
  return new CataloguedError("auth/network-request-failed", cause);
}
