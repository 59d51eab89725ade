import { auctionOrder } from "#domain/auction-list.ts";
import { actorOf, cursorOf, done, inTurn, signedIn, visitor } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { listProducts, listSimilar } from "./list-products.ts";
import { facetsOf, orders } from "./list-statements.ts";
import { isNarrowed } from "./narrowing.ts";
import { listOwnProducts, ownProductCursor } from "./own-products.ts";
import { readCards } from "./read-product.ts";
import { removeProduct } from "./remove-product.ts";

export const catalogue = {
  list: visitor.auctions.list.handler(async ({ input, context }) => {
    const { search, limit } = input;
    const sort = auctionOrder(input.sort, search);
    const cursor = cursorOf(input.cursor, orders[sort].cursor);
    const { reads, openCounts, sharedLists } = context.services;
    const { priceFrom, priceTo, endsWithin, bids, sellerOf, delivery } = input;
    const narrowing = { priceFrom, priceTo, endsWithin, bids, sellerOf, delivery };
    const query = { search: search.trim(), facets: facetsOf(input), narrowing, sort, cursor, limit };
    const list = () => reads.run((from) => listProducts(from, query, (search) => inTurn(context, search)));
    // A search takes a turn in its client's queue, so it is not shared.
    const isPlain = query.search === "" && !isNarrowed(narrowing);
    const [{ products, next, corrected }, count] = await Promise.all([
      isPlain ? sharedLists(JSON.stringify(query), list) : list(),
      isPlain && cursor === null ? openCounts(query.facets) : null,
    ]);
    return { now: new Date(), products, next, count, corrected };
  }),

  product: visitor.auctions.product.handler(async ({ input, context }) => {
    const product = await context.services.products.read(input.productId);
    if (!product) throw new Refusal("not-found");
    return product;
  }),

  cards: visitor.auctions.cards.handler(async ({ input, context: { services } }) => ({
    now: Date.now(),
    cards: await readCards(services.database.db, input.productIds, services.products.tagOf),
  })),

  similar: visitor.auctions.similar.handler(async ({ input, context }) => {
    const products = await context.services.reads.run((from) =>
      listSimilar(from, input.productId, (search) => inTurn(context, search)),
    );
    if (!products) throw new Refusal("not-found");
    return { now: new Date(), products };
  }),

  own: signedIn.auctions.own.handler(async ({ input, context }) => {
    const { services, session } = context;
    const after = cursorOf(input.cursor, ownProductCursor);
    const { limit, part = null } = input;
    return await listOwnProducts(services.database.db, session.userId, after, limit, part);
  }),

  remove: signedIn.auctions.remove.handler(async ({ input, context }) => {
    const { productId, reason } = input;
    await removeProduct(context.services, actorOf(context), productId, reason);
    return done;
  }),
};
