import type { Candidate, CloseOutcome } from "#domain/auction-close.ts";
import { formatMoney } from "#domain/money.ts";
import type { NotificationKind } from "#domain/notification.ts";
import { productPath } from "#protocol/addresses.ts";
import { type News, notify } from "#server/features/notifications/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import type { ReadAuction } from "../queries/due.ts";

/** Rows written by one statement: PostgreSQL takes 65,535 values at most. */
const batchSize = 1000;

/** An auction whose end is decided, with those who bid for it. */
export type Closing = {
  auction: ReadAuction & { isSellerReached: boolean };
  outcome: Extract<CloseOutcome, { kind: "sold" | "unsold" }>;
  bidders: readonly Candidate[];
};

/** Notifies the winner, the seller and everyone else who bid of how an auction ended; nobody whose account is lost. */
export async function notifyOfClose(
  services: Pick<Services, "jobs" | "live">,
  tx: Transaction,
  closings: readonly Closing[],
): Promise<void> {
  const news = closings.flatMap(newsOfClose);
  for (let at = 0; at < news.length; at += batchSize)
    await notify(services, tx, ...news.slice(at, at + batchSize));
}

type SettledAuction = Omit<Closing, "auction"> & {
  auction: Pick<Closing["auction"], "id" | "sellerId" | "productName" | "isSellerReached">;
};

export function newsOfClose({ auction, outcome, bidders }: SettledAuction): News[] {
  const { id, sellerId, productName, isSellerReached } = auction;
  const isSold = outcome.kind === "sold";
  const newsFor = (userId: string, kind: NotificationKind): News => ({
    userId,
    kind,
    eventKey: `auction-settled:${id}`,
    about: { product: productName, ...(isSold && { price: formatMoney(outcome.winningBid) }) },
    ids: { productId: id },
    path: productPath(id),
  });
  const toSeller =
    sellerId !== null && isSellerReached ? [newsFor(sellerId, isSold ? "auctionSold" : "auctionUnsold")] : [];
  // Unsold: no bidder has access any more.
  if (!isSold) return toSeller;
  const others = bidders.filter((each) => each.hasAccess && each.bidderId !== outcome.winnerId);
  return [
    newsFor(outcome.winnerId, "auctionWon"),
    ...toSeller,
    ...others.map(({ bidderId }) => newsFor(bidderId, "auctionLost")),
  ];
}
