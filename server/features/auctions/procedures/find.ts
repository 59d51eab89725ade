import { cursorOf, inTurn, refusal, visitor } from "#server/procedures.ts";
import { cursorForms, facetsOf, orders } from "../queries/auction-order.ts";
import { countProducts } from "../queries/count-products.ts";
import { listProducts } from "../queries/list-products.ts";
import { olderBids } from "../queries/older-bids.ts";

export const finding = {
  list: visitor.auctions.list.handler(async ({ input, context }) => {
    const { search, sort, cursor } = input;
    const place = cursorOf(cursor, cursorForms[orders[sort].type]);
    const query = { search: search.trim(), facets: facetsOf(input), sort, place };
    const { products, next } = await listProducts(context.services.database, query, (search) =>
      inTurn(context, search),
    );
    const isWhole = query.search === "" && place === null;
    const count = isWhole ? await countProducts(context.services.database, query.facets) : null;
    return { now: new Date(), products, next, count };
  }),

  bids: visitor.auctions.bids.handler(async ({ input, context }) => {
    const found = await olderBids(context.services, input.productId, input.below);
    if (!found) throw refusal("not-found");
    return found;
  }),
};
