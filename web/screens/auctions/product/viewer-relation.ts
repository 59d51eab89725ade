import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { ProductState } from "#contract/auctions.ts";
import type { BidForm } from "#domain/bid.ts";
import type { Cents } from "#domain/money.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { api } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";
import type { Tone } from "../../../ui/state-badge.tsx";

/** The query depends on the state: the other party's contact details are available once the auction is closed. */
function relationQuery({ id, state }: Pick<ProductState, "id" | "state">, viewerId: string | undefined) {
  const options = api.auctions.relation.queryOptions({ input: { productId: id } });
  return { ...options, queryKey: [...options.queryKey, state, viewerId] };
}

/**
 * Returns the server's facts about the viewer and this product; null for visitors and until they are loaded. They are
 * refetched once the auction is closed, for the other party's contact details, and by the seller for new bidders.
 */
export function useViewerFacts(product: ProductState) {
  const viewer = useViewer();
  const { data } = useQuery({
    ...relationQuery(product, viewer?.id),
    enabled: viewer !== null,
    placeholderData: keepPreviousData,
  });
  const relation = viewer && data ? data : null;
  useNames(relation, product.bids);
  return relation;
}

/**
 * Adds the viewer's accepted bid to their facts, because further bids push it off the product's state. Only the server
 * knows the public bid that a limit led to.
 */
export function noteBid(productId: string, form: BidForm, cents: Cents): void {
  const queryKey = api.auctions.relation.key({ input: { productId } });
  if (form === "upTo") void queryClient.invalidateQueries({ queryKey });
  else
    queryClient.setQueriesData<ViewerFacts>(
      { queryKey },
      (facts) => facts && { ...facts, ownBid: cents, withdrawn: false },
    );
}

type BidderNames = { isSeller: boolean; names: Readonly<Record<string, string>> };

/** Refetches once for each bidder whose name is unknown: deleted accounts have none. */
function useNames(relation: BidderNames | null, bids: ProductState["bids"]) {
  const requested = useRef(new Set<string>());
  const names = relation?.isSeller ? relation.names : null;
  useEffect(() => {
    if (!names) return;
    const unknown = bids
      .map(({ tag }) => tag)
      .filter((tag) => !Object.hasOwn(names, tag) && !requested.current.has(tag));
    if (unknown.length === 0) return;
    for (const tag of unknown) requested.current.add(tag);
    void queryClient.invalidateQueries({ queryKey: api.auctions.relation.key() });
  }, [names, bids]);
}

export type ViewerFacts = NonNullable<ReturnType<typeof useViewerFacts>>;

/** The viewer's relation to a product; `withdrawn`: none of their bids counts any more. `none` without any. */
export type ViewerRelation = "seller" | "winning" | "outbid" | "withdrawn" | "won" | "lost" | "none";
/** The facts that decide the viewer's relation: their tag, whether they sell it, and their highest bid, if any. */
export type ViewerPart = { tag: string; isSeller: boolean; ownBid: number | null; withdrawn?: boolean };

type Badge = { label: string; tone: Tone };

export const relationBadges: Record<Exclude<ViewerRelation, "none">, Badge> = {
  seller: { label: "Your product", tone: "going" },
  winning: { label: "You're winning", tone: "good" },
  outbid: { label: "You've been outbid", tone: "asks" },
  withdrawn: { label: "Your bids don't count", tone: "ended" },
  won: { label: "You won", tone: "good" },
  lost: { label: "You didn't win", tone: "ended" },
};

/** Badges for viewers without any relation to the product. */
const stateBadges: Record<ProductState["state"], Badge> = {
  open: { label: "Open for bids", tone: "going" },
  sold: { label: "Sold", tone: "ended" },
  unsold: { label: "Not sold", tone: "ended" },
};
const justEnded: Badge = { label: "Ended", tone: "ended" };

/** Returns the badge of an auction for the viewer. `isOver`: its time has ended, even if it is not settled yet. */
export function badgeFor(mine: ViewerRelation, state: ProductState["state"], isOver: boolean): Badge {
  if (mine !== "none") return relationBadges[mine];
  return state === "open" && isOver ? justEnded : stateBadges[state];
}

type AuctionFacts = Pick<ProductState, "state" | "leader" | "winner" | "bids">;

/** Derives the relation from the live state, which includes the newest bids, so that it changes with the price. */
export function viewerRelation(
  { state, leader, winner, bids }: AuctionFacts,
  mine: ViewerPart | null,
): ViewerRelation {
  if (!mine) return "none";
  if (mine.isSeller) return "seller";
  const isOwn = ({ tag, counts, row }: (typeof bids)[number]) =>
    tag === mine.tag && counts && row === undefined;
  if (mine.ownBid === null && !bids.some(isOwn))
    return mine.withdrawn && state === "open" ? "withdrawn" : "none";
  if (state === "open") return leader === mine.tag ? "winning" : "outbid";
  return state === "sold" && winner === mine.tag ? "won" : "lost";
}
