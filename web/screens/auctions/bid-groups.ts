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
  withdrawn: "Withdrawn",
  removed: "Taken off sale",
};

/** Null for a finished bid that leaves nothing to do or to celebrate. */
export const bidBadges: Record<BidPosition, { label: string; tone: Tone } | null> = {
  outbid: { label: "You've been outbid", tone: "asks" },
  winning: { label: "You're winning", tone: "good" },
  won: { label: "You won", tone: "good" },
  lost: null,
  withdrawn: null,
  removed: null,
};

/**
 * Groups the viewer's bids by position, in the given order. A bid whose position has changed since an earlier page was
 * loaded may occur twice: the last one counts.
 */
export function grouped(bids: readonly MyBid[]): Group[] {
  const latestBids = [...new Map(bids.map((bid) => [bid.productId, bid] as const)).values()];
  return bidPositions.flatMap((position) => {
    const bidsInPosition = latestBids.filter((bid) => bid.position === position);
    return bidsInPosition.length > 0 ? [{ position, title: titles[position], bids: bidsInPosition }] : [];
  });
}

const removalWords: Record<Remover, (reason: string) => string> = {
  seller: () => "Removed by the seller",
  admin: (reason) => `Removed by an administrator: ${reason}`,
  withdrawn: () => "Withdrawn",
};

/** Says who took a product off sale, with an administrator's reason; "" while it is on sale. */
export const removalText = ({ removedBy, reason }: Pick<MyBid, "removedBy" | "reason">): string =>
  removedBy ? removalWords[removedBy](reason) : "";
