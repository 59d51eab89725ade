import type { SearchFilters, SearchMail } from "#domain/watching.ts";
import { indexed } from "#server/features/auctions/watching/search-anchors.ts";
import type {
  auctionWatch,
  savedSearch,
  savedSearchAnchor,
} from "#server/features/auctions/watching/tables.ts";
import type { Database } from "#server/platform/database.ts";
import type { Market } from "./market.ts";
import { Random } from "./random.ts";
import { daysBefore } from "./time.ts";

const none: SearchFilters = {
  search: "",
  category: null,
  subcategory: null,
  grade: null,
  delivery: null,
  priceFrom: null,
  priceTo: null,
};
const searchPlans: readonly { name: string; filters: SearchFilters; mail: SearchMail }[] = [
  { name: "Desks for the new room", filters: { ...none, search: "desk" }, mail: "daily" },
  {
    name: "Phones under R5,000",
    filters: { ...none, category: "electronics", subcategory: "Phones", priceTo: 500_000 },
    mail: "weekly",
  },
  { name: "Anything new", filters: { ...none, grade: "New", category: "home" }, mail: "never" },
];

type Search = Omit<typeof savedSearch.$inferInsert, "query"> & { filters: SearchFilters };
export type WatchingRows = { watches: (typeof auctionWatch.$inferInsert)[]; searches: Search[] };

/** Has bidders watch some of the others' items, and saves searches for a frequent bidder. */
export function planWatching({ offers, bidders }: Market, now: Date): WatchingRows {
  const random = new Random("watching");
  const people = [...new Set(bidders.map(({ bidderId }) => bidderId))].toSorted();
  const open = offers.flatMap(({ product }) =>
    product.state === "removed" || product.closedAt ? [] : [product],
  );
  const watches = people.flatMap((userId) =>
    random
      .some(
        open.filter(({ sellerId }) => sellerId !== userId),
        Math.min(open.length, random.whole(0, 6)),
      )
      .map(({ id }) => ({ userId, productId: id, at: daysBefore(now, 1) })),
  );
  const often = Map.groupBy(bidders, ({ bidderId }) => bidderId);
  const [userId] = people.toSorted(
    (one, other) => (often.get(other)?.length ?? 0) - (often.get(one)?.length ?? 0),
  );
  const searches = searchPlans.flatMap((search, at) =>
    userId === undefined
      ? []
      : [
          {
            ...search,
            id: `00000000-0000-4000-8000-00000000000${at + 1}`,
            userId,
            madeAt: daysBefore(now, 5),
          },
        ],
  );
  return { watches, searches };
}

export type SearchRows = {
  searches: (typeof savedSearch.$inferInsert)[];
  anchors: (typeof savedSearchAnchor.$inferInsert)[];
};

/** Returns the rows of saved searches, in terms of the search index. */
export async function savedSearchRows(
  database: Pick<Database, "pool">,
  searches: readonly Search[],
): Promise<SearchRows> {
  const rows = await Promise.all(
    searches.map(async (search) => ({ search, index: await indexed(database, search.filters) })),
  );
  return {
    searches: rows.flatMap(({ search, index }) => (index ? [{ ...search, query: index.query }] : [])),
    anchors: rows.flatMap(({ search, index }) =>
      (index?.anchors ?? []).map((anchor) => ({ searchId: search.id, ...anchor })),
    ),
  };
}
