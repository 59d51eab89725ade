import { sql } from "drizzle-orm";
import {
  auctionWatch,
  savedSearch,
  savedSearchAnchor,
  savedSearchDue,
  savedSearchHit,
} from "../auctions/watching/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Tables of watched items and saved searches. */
export const tablesOfWatching: readonly TableOfPeople[] = [
  {
    table: savedSearchDue,
    omittedBecause: "It only marks when you may next be notified of a saved search's new items.",
    erase: [
      ({ id }) => sql`
        delete from saved_search_due where search_id in (select id from saved_search where user_id = ${id})`,
    ],
  },
  {
    table: savedSearchHit,
    omittedBecause: "It marks items of other people that fit your saved searches.",
    erase: [
      ({ id }) => sql`
        delete from saved_search_hit where search_id in (select id from saved_search where user_id = ${id})`,
    ],
  },
  {
    table: savedSearchAnchor,
    omittedBecause: "It has words of your saved searches, which are listed themselves.",
    erase: [
      ({ id }) => sql`
        delete from saved_search_anchor where search_id in (select id from saved_search where user_id = ${id})`,
    ],
  },
  {
    table: savedSearch,
    download: {
      savedSearches: (id) => sql`
        select name, filters, mail as "emails", seen_until as "lastSeenAt", told_at as "lastToldAt", made_at as "savedAt"
        from saved_search where user_id = ${id} order by made_at, id`,
    },
    erase: "cascade",
  },
  {
    table: auctionWatch,
    download: {
      watchedItems: (id) => sql`
        select product_name as "item", at as "since"
        from auction_watch join auction_product on auction_product.id = product_id
        where user_id = ${id} order by at, product_id`,
    },
    erase: "cascade",
  },
];
