import { decodeTextCursor, encodeTextCursor } from "#server/platform/cursor.ts";
import { inTurn, refusal, visitor } from "#server/procedures.ts";
import { checkedPlace, facetsOf } from "../queries/auction-order.ts";
import { countProducts } from "../queries/count-products.ts";
import { listProducts } from "../queries/list-products.ts";
import { olderBids } from "../queries/older-bids.ts";

export const finding = {
  list: visitor.auctions.list.handler(async ({ input, context }) => {
    const { search, sort, cursor } = input;
    const place = cursor === undefined ? null : checkedPlace(sort, decodeTextCursor(cursor));
    if (cursor !== undefined && place === null) throw refusal("invalid-argument");
    const query = { search: search.trim(), facets: facetsOf(input), sort, place };
    const { products, next } = await listProducts(context.services.database, query, (search) =>
      inTurn(context, search),
    );
    const isWhole = query.search === "" && place === null;
    const count = isWhole ? await countProducts(context.services.database, query.facets) : null;
    return { now: new Date(), products, next: next && encodeTextCursor(next), count };
  }),

  bids: visitor.auctions.bids.handler(async ({ input, context }) => {
    const found = await olderBids(context.services, input.productId, input.below);
    if (!found) throw refusal("not-found");
    return found;
  }),
};
