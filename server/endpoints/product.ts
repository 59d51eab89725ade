import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { ProductState } from "#contract/auctions.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { isUuid } from "#domain/uuid.ts";
import { type Compressed, compressed, formFor } from "#server/platform/compressed.ts";
import type { Services } from "#server/services.ts";

const notFound = JSON.stringify({ code: "not-found", message: messageOf["not-found"] });

type Body = Compressed & { etag: string };

async function bodyOf(product: ProductState): Promise<Body> {
  const text = JSON.stringify(product);
  // The version would not do as a tag: what is shown of the seller may change without it.
  const etag = `W/"${createHash("sha256").update(text).digest("base64url")}"`;
  return { ...(await compressed(text)), etag };
}

/**
 * GET /auctions/products/{id}: what everyone sees of a product, a `ProductState`, with the server's time in
 * milliseconds since 1970. Not at /rpc: a hot product is asked for by everybody at once, and is in memory.
 */
export function productEndpoint({ products }: Pick<Services, "products">, security: Record<string, string>) {
  const bodies = new WeakMap<ProductState, Promise<Body>>();

  /** Makes the body once for a state, as long as it is cached. */
  function bodyFor(product: ProductState): Promise<Body> {
    const known = bodies.get(product);
    if (known) return known;
    const body = bodyOf(product);
    bodies.set(product, body);
    return body;
  }

  return async (c: Context): Promise<Response> => {
    const id = (c.req.param("id") ?? "").toLowerCase();
    const product = isUuid(id) ? await products.read(id) : null;
    const headers = {
      ...security,
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-cache",
      "x-server-time": String(Date.now()),
      "x-request-id": c.get("requestId"),
    };
    if (product === null) return new Response(notFound, { status: 404, headers });
    const { etag, ...forms } = await bodyFor(product);
    if (c.req.header("if-none-match") === etag)
      return new Response(null, { status: 304, headers: { ...headers, vary: "accept-encoding", etag } });
    const { body, form } = formFor(c, forms);
    return new Response(body, { headers: { ...headers, ...form, etag } });
  };
}
