import { z } from "zod";
import { auctionTexts } from "#domain/auction.ts";
import { removalMessages } from "#domain/auction-removal.ts";
import { cursorForm, cursorTime } from "#server/platform/cursor.ts";
import {
  actorOf,
  cursorOf,
  done,
  inTurn,
  problemRefusal,
  refusal,
  signedIn,
  visitor,
} from "#server/procedures.ts";
import { createProduct } from "./commands/create-product.ts";
import { removeProduct } from "./commands/remove-product.ts";
import { cursorForms, facetsOf, orders } from "./queries/list-order.ts";
import { listProducts } from "./queries/list-products.ts";
import { listOwnProducts } from "./queries/own-products.ts";

export const catalogue = {
  list: visitor.auctions.list.handler(async ({ input, context }) => {
    const { search, sort } = input;
    const cursor = cursorOf(input.cursor, cursorForms[orders[sort].type]);
    const { database, openCounts } = context.services;
    const query = { search: search.trim(), facets: facetsOf(input), sort, cursor };
    const isWhole = query.search === "" && cursor === null;
    const [{ products, next }, count] = await Promise.all([
      listProducts(database, query, (search) => inTurn(context, search)),
      isWhole ? openCounts(query.facets) : null,
    ]);
    return { now: new Date(), products, next, count };
  }),

  create: visitor.auctions.create.handler(async ({ input, context }) => {
    const { services, session } = context;
    if (!session) throw refusal("unauthenticated", { message: auctionTexts.loginToUpload });
    const outcome = await createProduct(services, actorOf({ ...context, session }), input);
    switch (outcome.kind) {
      case "created":
        return { id: outcome.id };
      case "problem":
        throw problemRefusal(outcome.problem);
      case "noPictures":
        throw refusal("not-found", { message: auctionTexts.picturesGone, field: "images" });
      case "locked":
        throw refusal("resource-exhausted", { retryAfter: outcome.retryAfter });
      case "notAllowed":
        throw refusal("permission-denied");
    }
  }),

  own: signedIn.auctions.own.handler(async ({ input, context }) => {
    const { services, session } = context;
    const after = cursorOf(input.cursor, cursorForm(cursorTime, z.uuid()));
    return await listOwnProducts(services.database.db, session.userId, after);
  }),

  remove: signedIn.auctions.remove.handler(async ({ input, context }) => {
    const { productId, reason } = input;
    const result = await removeProduct(context.services, actorOf(context), productId, reason);
    switch (result.kind) {
      case "removed":
        return done;
      case "problem":
        throw problemRefusal(result.problem);
      case "notFound":
        throw refusal("not-found", { message: auctionTexts.notFound });
      case "lastHours":
      case "sold":
        throw refusal("failed-precondition", { message: removalMessages[result.kind] });
      case "notAllowed":
        throw refusal("permission-denied");
    }
  }),
};
