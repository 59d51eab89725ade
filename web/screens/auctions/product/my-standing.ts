import type { ProductState } from "#contract/auctions.ts";
import type { Tone } from "../../../ui/state-badge.tsx";

/** How the viewer stands to a product; `none` for whoever has nothing to do with it. */
export type MyStanding = "seller" | "winning" | "outbid" | "won" | "lost" | "none";
/** What the server told the viewer about themselves. */
export type Mine = { tag: string; isSeller: boolean; ownBid: number | null };

type Badge = { label: string; tone: Tone };

export const standingBadges: Record<Exclude<MyStanding, "none">, Badge> = {
  seller: { label: "Your product", tone: "going" },
  winning: { label: "You're winning", tone: "good" },
  outbid: { label: "You've been outbid", tone: "asks" },
  won: { label: "You won", tone: "good" },
  lost: { label: "You didn't win", tone: "ended" },
};

/** For whoever has nothing to do with it. */
const stateBadges: Record<ProductState["state"], Badge> = {
  open: { label: "Open for bids", tone: "going" },
  sold: { label: "Sold", tone: "ended" },
  unsold: { label: "Not sold", tone: "ended" },
};
const justEnded: Badge = { label: "Ended", tone: "ended" };

/** Where the auction stands for the viewer. `isOver`: its time has ended, even if it is not settled yet. */
export function badgeFor(mine: MyStanding, state: ProductState["state"], isOver: boolean): Badge {
  if (mine !== "none") return standingBadges[mine];
  return state === "open" && isOver ? justEnded : stateBadges[state];
}

type Seen = Pick<ProductState, "state" | "leader" | "winner" | "bids">;

/** From what is told live, so that it changes with the price: one's own bid of this moment stands in the history. */
export function myStanding({ state, leader, winner, bids }: Seen, mine: Mine | null): MyStanding {
  if (!mine) return "none";
  if (mine.isSeller) return "seller";
  const hasBid = mine.ownBid !== null || bids.some(({ tag }) => tag === mine.tag);
  if (!hasBid) return "none";
  if (state === "open") return leader === mine.tag ? "winning" : "outbid";
  return state === "sold" && winner === mine.tag ? "won" : "lost";
}
