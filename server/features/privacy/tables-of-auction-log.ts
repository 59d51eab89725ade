import { auctionLogDay, auctionLogLeaf, auctionLogNode } from "../auctions/history/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Tables of the auction log, which only contains hashes about items. */
export const tablesOfAuctionLog: readonly TableOfPeople[] = [
  {
    table: auctionLogLeaf,
    omittedBecause: "It has the hash of an item's history, which names nobody.",
    keptBecause: "removing an entry would break the log; it names nobody",
  },
  {
    table: auctionLogNode,
    omittedBecause: "It has hashes of the log of auctions, which name nobody.",
    keptBecause: "a hash names nobody",
  },
  {
    table: auctionLogDay,
    omittedBecause: "It has a hash for each day, which names nobody.",
    keptBecause: "a hash names nobody",
  },
];
