import { decodeTextCursor, encodeTextCursor } from "#server/platform/cursor.ts";
import { refusal, visitor } from "#server/procedures.ts";
import { checkedPlace, facetsOf } from "../queries/auction-order.ts";
import { listProducts } from "../queries/list-products.ts";
import { olderBids } from "../queries/older-bids.ts";

export const finding = {
  list: visitor.auctions.list.handler(async ({ input, context }) => {
    const { search, sort, cursor } = input;
    const place = cursor === undefined ? null : checkedPlace(sort, decodeTextCursor(cursor));
    if (cursor !== undefined && place === null) throw refusal("invalid-argument");
    const query = { search: search.trim(), facets: facetsOf(input), sort, place };
    const { products, next } = await listProducts(context.services.database, query);
    return { now: new Date(), products, next: next && encodeTextCursor(next) };
  }),

  bids: visitor.auctions.bids.handler(async ({ input, context }) => {
    const found = await olderBids(context.services, input.productId, input.below);
    if (!found) throw refusal("not-found");
    return found;
  }),
};
