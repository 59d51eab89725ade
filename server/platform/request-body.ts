import { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { allowUpload } from "./connections.ts";

/** The pieces of a request's body as they arrive; asked a second time, those that are left. */
export type Body = () => AsyncIterable<Uint8Array>;

/**
 * The body of an upload, null where there is none; from here on it may take long, so it has to be known whose it is.
 * It can be left in the middle without closing the connection, over which the answer has to go. Read from the connection itself: by way of a web stream, every piece is copied once
 * more. A test calls the app as a function, without a connection.
 */
export function bodyOf(c: Context): Body | null {
  const incoming: unknown = c.env?.incoming;
  if (incoming instanceof IncomingMessage) {
    allowUpload(incoming);
    const pieces = () => incoming.iterator({ destroyOnReturn: false });
    return () => ({ [Symbol.asyncIterator]: pieces });
  }
  const { body } = c.req.raw;
  return body && (() => body.values({ preventCancel: true }));
}
