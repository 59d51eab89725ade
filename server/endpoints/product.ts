import type { Context } from "hono";
import { messageOf } from "#domain/error-catalogue.ts";
import type { Services } from "#server/services.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const notFound = JSON.stringify({ code: "not-found", message: messageOf["not-found"] });

/**
 * GET /auctions/products/{id}: what everyone sees of a product, a `ProductState`, with the server's time in
 * milliseconds since 1970. Not at /rpc: a hot product is asked for by everybody at once, and its JSON is in memory.
 */
export async function productEndpoint(
  c: Context,
  { products }: Pick<Services, "products">,
): Promise<Response> {
  const id = (c.req.param("id") ?? "").toLowerCase();
  const body = uuid.test(id) ? await products.body(id) : null;
  return c.body(body ?? notFound, body === null ? 404 : 200, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-server-time": String(Date.now()),
  });
}
