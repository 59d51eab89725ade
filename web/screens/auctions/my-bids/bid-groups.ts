import type { MyBid } from "#contract/auctions.ts";
import type { Remover } from "#domain/auction.ts";
import type { Tone } from "../../../ui/state-badge.tsx";

type Standing = MyBid["standing"];
type Group = { standing: Standing; title: string; bids: MyBid[] };

/** What needs doing stands first. */
const titles: Record<Standing, string> = {
  outbid: "Outbid",
  winning: "Winning",
  won: "Won",
  lost: "Lost",
  removed: "Taken off sale",
};
const order = ["outbid", "winning", "won", "lost", "removed"] as const satisfies readonly Standing[];

/** None for what is over without anything to do or to be glad of. */
export const bidBadges: Record<Standing, { label: string; tone: Tone } | null> = {
  outbid: { label: "You were outbid", tone: "asks" },
  winning: { label: "You are winning", tone: "good" },
  won: { label: "You won", tone: "good" },
  lost: null,
  removed: null,
};

/** One's bids by how they stand; those that end first come first while they are open. */
export const grouped = (bids: readonly MyBid[]): Group[] =>
  order.flatMap((standing) => {
    const found = bids.filter((bid) => bid.standing === standing);
    const isOpen = standing === "outbid" || standing === "winning";
    if (isOpen) found.sort((one, other) => one.endDate.getTime() - other.endDate.getTime());
    return found.length > 0 ? [{ standing, title: titles[standing], bids: found }] : [];
  });

const removalWords: Record<Remover, (reason: string) => string> = {
  seller: () => "Removed by the seller",
  admin: (reason) => `Removed by an administrator: ${reason}`,
  withdrawn: () => "Withdrawn",
};

/** Who took a product off sale, and an administrator's reason (product decisions, "Delete"). */
export const removalText = ({ removedBy, reason }: Pick<MyBid, "removedBy" | "reason">): string =>
  removedBy ? removalWords[removedBy](reason) : "";
