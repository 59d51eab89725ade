import { z } from "zod";
import { auctionTexts } from "#domain/auction.ts";
import { removalMessages } from "#domain/auction-removal.ts";
import { cursorForm, cursorTime } from "#server/platform/cursor.ts";
import { actorOf, cursorOf, done, problemRefusal, refusal, signedIn, visitor } from "#server/procedures.ts";
import { createProduct } from "../commands/create-product.ts";
import { removeProduct } from "../commands/remove-product.ts";
import { listOwnProducts } from "../queries/own-products.ts";

export const selling = {
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
