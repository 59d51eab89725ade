import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "@opentelemetry/api";
import { quoteThis } from "#domain/error-catalogue.ts";

type Around = {
  /** Of the request; a job has none. */
  requestId?: string;
  /** Where it is traced, the span that what happens now is a part of. */
  span?: Span;
};

/**
 * The request that code runs for, however deep. What is done for many requests at once, or goes on after one, leaves it:
 * `requests.exit(…)`.
 */
export const requests = new AsyncLocalStorage<Around>();

/** As lines of the log have it. */
export function requestFields(): { requestId?: string; traceId?: string } {
  const { requestId, span } = requests.getStore() ?? {};
  return { ...(requestId && { requestId }), ...(span && { traceId: span.spanContext().traceId }) };
}

export const quote = (requestId: string): string => `${quoteThis} ${requestId}`;
