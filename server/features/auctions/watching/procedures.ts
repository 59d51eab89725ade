import { actorOf, cursorOf, done, signedIn } from "#server/procedures.ts";
import { changeSearch, listSearches, removeSearch, saveSearch, seeSearch } from "./searches.ts";
import { listWatched, readMarks, unwatchItem, watchedItemCursor, watchItem } from "./watches.ts";

export const watching = {
  items: signedIn.watching.items.handler(async ({ input, context }) => {
    const { services, session } = context;
    const after = cursorOf(input.cursor, watchedItemCursor);
    return await listWatched(services.database.db, session.userId, after, input.limit);
  }),

  watch: signedIn.watching.watch.handler(async ({ input, context }) => {
    await watchItem(context.services, actorOf(context), input.productId);
    return done;
  }),

  unwatch: signedIn.watching.unwatch.handler(async ({ input, context }) => {
    await unwatchItem(context.services, context.session.userId, input.productId);
    return done;
  }),

  marks: signedIn.watching.marks.handler(async ({ input, context }) => ({
    marks: await readMarks(context.services, context.session.userId, input.productIds),
  })),

  searches: signedIn.watching.searches.handler(async ({ context }) => ({
    searches: await listSearches(context.services.database.db, context.session.userId),
  })),

  saveSearch: signedIn.watching.saveSearch.handler(
    async ({ input, context }) => await saveSearch(context.services, actorOf(context), input),
  ),

  changeSearch: signedIn.watching.changeSearch.handler(async ({ input, context }) => {
    await changeSearch(context.services, actorOf(context), input.searchId, input);
    return done;
  }),

  seeSearch: signedIn.watching.seeSearch.handler(async ({ input, context }) => {
    await seeSearch(context.services, actorOf(context), input.searchId);
    return done;
  }),

  removeSearch: signedIn.watching.removeSearch.handler(async ({ input, context }) => {
    await removeSearch(context.services, actorOf(context), input.searchId);
    return done;
  }),
};
