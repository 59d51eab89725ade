import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The request that code runs for, however deep. What is done for many requests at once, or goes on after one, leaves it:
 * `requests.exit(…)`.
 */
export const requests = new AsyncLocalStorage<{ requestId: string }>();

/** What a person can quote, so that the line of the log is found. */
export const quote = (requestId: string): string =>
  `If you contact us about it, quote this number: ${requestId}`;
