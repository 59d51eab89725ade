import { auctionsCounted, countedText } from "#domain/auction-list.ts";
import type { AuctionView } from "./use-auction-view.ts";
import { useProducts } from "./use-products.ts";

/** `count`: how many there are, where that was counted; `shown`: how many of them are in the list by now. */
function sentence(count: number | null, shown: number, hasMore: boolean): string {
  if (shown === 0) return "No auctions match";
  if (!hasMore) return shown === 1 ? "1 auction" : `${shown} auctions`;
  return count === null ? `More than ${shown} auctions` : `${countedText(count, auctionsCounted)} auctions`;
}

/** How many auctions a view has. Between two answers it is empty, so that readers hear the same number again. */
export function HowMany({ view }: { view: AuctionView }) {
  const { products, count, isPlaceholderData, hasNextPage } = useProducts(view);
  const isKnown = !isPlaceholderData && products !== null;
  return <output aria-label="Results">{isKnown && sentence(count, products.length, hasNextPage)}</output>;
}
