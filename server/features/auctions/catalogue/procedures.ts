import { z } from "zod";
import { auctionTexts } from "#domain/auction.ts";
import { cursorForm, cursorTime } from "#server/platform/cursor.ts";
import { actorOf, cursorOf, done, inTurn, signedIn, visitor } from "#server/procedures.ts";
import { Refusal } from "#server/refusal.ts";
import { createProduct } from "./commands/create-product.ts";
import { removeProduct } from "./commands/remove-product.ts";
import { cursorForms, facetsOf, orders } from "./queries/list-order.ts";
import { listProducts } from "./queries/list-products.ts";
import { listOwnProducts } from "./queries/own-products.ts";

export const catalogue = {
  list: visitor.auctions.list.handler(async ({ input, context }) => {
    const { search, sort, limit } = input;
    const cursor = cursorOf(input.cursor, cursorForms[orders[sort].type]);
    const { reads, openCounts } = context.services;
    const query = { search: search.trim(), facets: facetsOf(input), sort, cursor, limit };
    const isWhole = query.search === "" && cursor === null;
    const [{ products, next }, count] = await Promise.all([
      reads.run((from) => listProducts(from, query, (search) => inTurn(context, search))),
      isWhole ? openCounts(query.facets) : null,
    ]);
    return { now: new Date(), products, next, count };
  }),

  create: visitor.auctions.create.handler(async ({ input, context }) => {
    const { services, session } = context;
    if (!session) throw new Refusal("unauthenticated", { message: auctionTexts.loginToUpload });
    return { id: await createProduct(services, actorOf({ ...context, session }), input) };
  }),

  own: signedIn.auctions.own.handler(async ({ input, context }) => {
    const { services, session } = context;
    const after = cursorOf(input.cursor, cursorForm(cursorTime, z.uuid()));
    return await listOwnProducts(services.database.db, session.userId, after, input.limit);
  }),

  remove: signedIn.auctions.remove.handler(async ({ input, context }) => {
    const { productId, reason } = input;
    await removeProduct(context.services, actorOf(context), productId, reason);
    return done;
  }),
};
