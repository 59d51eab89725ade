import type { MyBid } from "#contract/auctions.ts";
import type { Remover } from "#domain/auction.ts";
import { type BidPosition, bidPositions } from "#domain/auction-list.ts";
import type { Tone } from "../../ui/state-badge.tsx";

type Group = { position: BidPosition; title: string; bids: MyBid[] };

const titles: Record<BidPosition, string> = {
  outbid: "Outbid",
  winning: "Winning",
  won: "Won",
  lost: "Lost",
  removed: "Taken off sale",
};

/** None for what is over without anything to do or to be glad of. */
export const bidBadges: Record<BidPosition, { label: string; tone: Tone } | null> = {
  outbid: { label: "You've been outbid", tone: "asks" },
  winning: { label: "You're winning", tone: "good" },
  won: { label: "You won", tone: "good" },
  lost: null,
  removed: null,
};

/**
 * One's bids by how they stand, in the order in which they came. A bid that stands otherwise since an earlier page was
 * asked for may come again: it counts as it came last.
 */
export function grouped(bids: readonly MyBid[]): Group[] {
  const each = [...new Map(bids.map((bid) => [bid.productId, bid] as const)).values()];
  return bidPositions.flatMap((position) => {
    const found = each.filter((bid) => bid.position === position);
    return found.length > 0 ? [{ position, title: titles[position], bids: found }] : [];
  });
}

const removalWords: Record<Remover, (reason: string) => string> = {
  seller: () => "Removed by the seller",
  admin: (reason) => `Removed by an administrator: ${reason}`,
  withdrawn: () => "Withdrawn",
};

/** Who took a product off sale, and an administrator's reason. */
export const removalText = ({ removedBy, reason }: Pick<MyBid, "removedBy" | "reason">): string =>
  removedBy ? removalWords[removedBy](reason) : "";
