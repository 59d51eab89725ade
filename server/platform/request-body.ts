import { IncomingMessage } from "node:http";
import type { Context } from "hono";

/** The pieces of a request's body as they arrive; asked a second time, those that are left. */
export type Body = () => AsyncIterable<Uint8Array>;

/**
 * The body of a request, null where there is none. It can be left in the middle without closing the connection, over
 * which the answer has to go. Read from the connection itself: by way of a web stream, every piece is copied once
 * more. A test calls the app as a function, without a connection.
 */
export function bodyOf(c: Context): Body | null {
  const incoming: unknown = c.env?.incoming;
  if (incoming instanceof IncomingMessage) {
    const pieces = () => incoming.iterator({ destroyOnReturn: false });
    return () => ({ [Symbol.asyncIterator]: pieces });
  }
  const { body } = c.req.raw;
  return body && (() => body.values({ preventCancel: true }));
}
