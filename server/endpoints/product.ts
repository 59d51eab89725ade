import { createHash } from "node:crypto";
import type { Context } from "hono";
import { type ProductState, productState } from "#contract/auctions.ts";
import { isUuid } from "#domain/uuid.ts";
import { type CompressedText, compressed, negotiateEncoding } from "#server/platform/compressed.ts";
import { memoize } from "#server/platform/memoize.ts";
import type { Services } from "#server/services.ts";
import { plain } from "./json.ts";

const notFound = JSON.stringify(plain("not-found"));

type Answer = CompressedText & { etag: string };

/** Encodes a state, and throws if the contract doesn't allow it. */
async function encode(product: ProductState): Promise<Answer> {
  const text = JSON.stringify(productState.parse(product));
  // The version can't be the tag: the displayed data of the seller may change without it.
  const etag = `W/"${createHash("sha256").update(text).digest("base64url")}"`;
  return { ...(await compressed(text)), etag };
}

/**
 * GET /auctions/products/{id}: the answer of `auctions.product` as plain JSON, with a tag. Each state is encoded once,
 * because everyone requests a hot product at the same time (docs/adr/0043-product-by-get.md).
 */
export function productEndpoint({ products }: Pick<Services, "products">, security: Record<string, string>) {
  const answerFor = memoize(encode, new WeakMap<ProductState, Promise<Answer>>());

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
    const { etag, ...forms } = await answerFor(product);
    if (c.req.header("if-none-match") === etag)
      return new Response(null, { status: 304, headers: { ...headers, vary: "accept-encoding", etag } });
    const { body, form } = negotiateEncoding(c, forms);
    return new Response(body, { headers: { ...headers, ...form, etag } });
  };
}
