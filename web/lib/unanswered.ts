import { CataloguedError } from "./catalogued-error.ts";

export const unansweredEvent = "unanswered";
/** Reports every request that got no answer. */
export const requests = new EventTarget();

/** The error of a request without an answer. It is reported to whoever watches the connection. */
export function unanswered(cause?: unknown): CataloguedError {
  requests.dispatchEvent(new Event(unansweredEvent));
  return new CataloguedError("auth/network-request-failed", cause);
}
