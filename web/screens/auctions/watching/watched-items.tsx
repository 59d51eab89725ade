import { useInfiniteQuery } from "@tanstack/react-query";
import type { WatchedItem } from "#contract/watching.ts";
import { formatMoney } from "#domain/money.ts";
import { productPath } from "#protocol/addresses.ts";
import { formatMoment } from "../../../lib/format-date.ts";
import { paged } from "../../../lib/paged.ts";
import { api } from "../../../lib/rpc.ts";
import { useHasEnded } from "../../../lib/watch-time.ts";
import { AuctionList, AuctionListSkeleton, AuctionRow } from "../../../ui/auction-row.tsx";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { StateBadge, type Tone } from "../../../ui/state-badge.tsx";
import { bidsText, priceLabel } from "../price-label.ts";
import { useWatching } from "./marks.ts";

const watchedItemsQuery = {
  ...api.watching.items.infiniteOptions({ input: (cursor: string | undefined) => ({ cursor }), ...paged }),
  // Bids arrive while the viewer is in another window.
  refetchOnWindowFocus: "always",
} as const;

/** The items that the viewer watches, a page at a time. */
export function WatchedItems() {
  const query = useInfiniteQuery(watchedItemsQuery);
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <AuctionListSkeleton label="Loading what you watch" />;
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0)
    return (
      <EmptyState
        title="You aren't watching anything yet."
        text="Press the star on an item, and we'll tell you an hour before its auction ends."
      >
        <LinkButton primary to="/auctions">
          See open auctions
        </LinkButton>
      </EmptyState>
    );
  return (
    <>
      <AuctionList>
        {items.map((item) => (
          <WatchedRow key={item.id} item={item} />
        ))}
      </AuctionList>
      <ShowMore query={query} />
    </>
  );
}

type StateDisplay = { badge: string; tone: Tone; price: "open" | "sold" | "over" };
const stateDisplays: Record<WatchedItem["state"], StateDisplay> = {
  open: { badge: "Open", tone: "going", price: "open" },
  ended: { badge: "Ended", tone: "ended", price: "over" },
  sold: { badge: "Sold", tone: "ended", price: "sold" },
  unsold: { badge: "Not sold", tone: "ended", price: "over" },
};
const winning = { badge: "You're winning", tone: "good" } as const;

function WatchedRow({ item }: { item: WatchedItem }) {
  const { id, productName, picture, state, price, bidCount, endDate, isWinning } = item;
  const { mutate, isPending, error, reset } = useWatching();
  const hasEnded = useHasEnded(endDate.getTime());
  const display = stateDisplays[state === "open" && hasEnded ? "ended" : state];
  const { badge, tone } = display.price === "open" && isWinning ? winning : display;
  return (
    <AuctionRow
      productId={id}
      productName={productName}
      picture={picture}
      to={productPath(id)}
      figures={[`${priceLabel(display.price, bidCount)} ${formatMoney(price)}`, bidsText(bidCount)]}
      note={
        <>
          {display.price === "open" ? "Ends" : "Ended"}{" "}
          <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
        </>
      }
      heading="h2"
    >
      <StateBadge tone={tone}>{badge}</StateBadge>
      <Button
        variant="default"
        disabled={isPending}
        aria-label={`Stop watching ${productName}`}
        onClick={() => mutate({ productId: id, productName, watch: false })}
      >
        Stop watching
      </Button>
      <ErrorModal title="Watching" error={error} onClose={reset} />
    </AuctionRow>
  );
}
