import type { Context } from "hono";
import { endText } from "#domain/calendar-feed.ts";
import { isUuid } from "#domain/uuid.ts";
import { productPath } from "#protocol/addresses.ts";
import type { Services } from "#server/services.ts";
import { contentDisposition } from "./downloads.ts";

/** GET /auctions/products/{id}/end.ics: the end of an open auction, for a calendar. It may still move later. */
export async function auctionEndEndpoint(
  c: Context,
  { products, environment }: Pick<Services, "products" | "environment">,
): Promise<Response> {
  const id = (c.req.param("id") ?? "").toLowerCase();
  const product = isUuid(id) ? await products.read(id) : null;
  if (product === null || product.state !== "open")
    return c.text("There is no such auction, or it has ended.", 404, { "cache-control": "no-store" });
  const text = endText({
    id: `auction-${id}`,
    title: product.productName,
    endsAt: new Date(product.endDate),
    url: environment.baseUrl + productPath(id),
  });
  return new Response(text, {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": contentDisposition("auction-end.ics", false),
      "cache-control": "no-cache",
      "x-robots-tag": "noindex",
    },
  });
}
