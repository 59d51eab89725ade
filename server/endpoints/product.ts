import type { Context } from "hono";
import { messageOf } from "#domain/error-catalogue.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Services } from "#server/services.ts";

const notFound = JSON.stringify({ code: "not-found", message: messageOf["not-found"] });

/**
 * GET /auctions/products/{id}: what everyone sees of a product, a `ProductState`, with the server's time in
 * milliseconds since 1970. Not at /rpc: a hot product is asked for by everybody at once, and its JSON is in memory.
 */
export async function productEndpoint(
  c: Context,
  { products }: Pick<Services, "products">,
  security: Record<string, string>,
): Promise<Response> {
  const id = (c.req.param("id") ?? "").toLowerCase();
  const body = isUuid(id) ? await products.body(id) : null;
  return c.body(body ?? notFound, body === null ? 404 : 200, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...security,
    "x-server-time": String(Date.now()),
  });
}
