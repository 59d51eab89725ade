import type { Lot, Operation, RecordedBid } from "./operation.ts";

/** Everything that was sent, and everything that is stored. */
export type History = {
  operations: readonly Operation[];
  stored: readonly RecordedBid[];
  lots: readonly Lot[];
};

/** A stored bid with the time in which it happened: from its first sending to its first acknowledgement. */
export type TimedBid = RecordedBid & { begun: number; done: number };

/** One lot's part of a history, its bids by number. */
export type LotHistory = { lot: Lot; bids: readonly TimedBid[]; operations: readonly Operation[] };

type BidKey = { bidderId: string; key: string };
/** Identifies a bid: calls with the same bidder and key are one bid. */
export const bidKey = ({ bidderId, key }: BidKey): string => `${bidderId} ${key}`;

export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** An unacknowledged bid has no end: it may count for anything that comes after its beginning. */
function timed(bid: RecordedBid, all: readonly Operation[]): TimedBid {
  const calls = all.filter(({ productId, amount }) => productId === bid.productId && amount === bid.amount);
  const acknowledged = calls.filter(({ answer }) => answer.kind === "accepted");
  return {
    ...bid,
    begun: Math.min(...calls.map(({ sentAt }) => sentAt)),
    done: Math.min(...acknowledged.map(({ answeredAt }) => answeredAt)),
  };
}

export function sortedOut({ operations, stored, lots }: History): LotHistory[] {
  const byKey = grouped(operations, bidKey);
  const byLot = grouped(operations, ({ productId }) => productId);
  const bidsOf = grouped(stored, ({ productId }) => productId);
  return lots.map((lot) => ({
    lot,
    bids: (bidsOf.get(lot.id) ?? [])
      .toSorted((one, other) => one.number - other.number)
      .map((bid) => timed(bid, byKey.get(bidKey(bid)) ?? [])),
    operations: byLot.get(lot.id) ?? [],
  }));
}
