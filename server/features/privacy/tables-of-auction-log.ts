import { auctionLogDay, auctionLogLeaf, auctionLogNode } from "../auctions/history/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Tables of the auction log, which only contains hashes about items. */
export const tablesOfAuctionLog: readonly TableOfPeople[] = [
  {
    table: auctionLogLeaf,
    leftOut: "It has the hash of an item's history, which names nobody.",
    stays: "a log that lost a leaf would be another log; it names nobody",
  },
  {
    table: auctionLogNode,
    leftOut: "It has hashes of the log of auctions, which name nobody.",
    stays: "a hash names nobody",
  },
  {
    table: auctionLogDay,
    leftOut: "It has a hash for each day, which names nobody.",
    stays: "a hash names nobody",
  },
];
