import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { MyBid } from "#contract/auctions.ts";
import type { SaleView } from "#contract/sale-views.ts";
import { formatMoney } from "#domain/money.ts";
import { savedSearchesPath, watchingPath } from "#protocol/addresses.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { useQueryOfAddress } from "../../lib/hydration.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useHasEnded } from "../../lib/watch-time.ts";
import { AuctionList, AuctionListSkeleton, AuctionRow } from "../../ui/auction-row.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { bidBadges, grouped, removalText } from "./bid-groups.ts";
import classes from "./own-auctions.module.css";
import { priceLabel } from "./price-label.ts";
import { OwnOffers, OwnStrikes, SecondChanceChoice, useOwnSales } from "./sales/own-sales.tsx";
import { SaleActs } from "./sales/sale-acts.tsx";
import { saleBadges, saleWords } from "./sales/sale-words.ts";
import { SavedSearches } from "./watching/saved-searches.tsx";
import { WatchedItems } from "./watching/watched-items.tsx";

const title = "My bids";

export const meta = () => pageMeta(title);

/** The products that the viewer is winning, was outbid on, won or lost (docs/product.md, "My bids"). */
export default function MyBids() {
  const params = useQueryOfAddress();
  const tab = tabs.find(({ show }) => show === (params.get("show") ?? "")) ?? tabs[0];
  return (
    <Page title={title} lead={tab.lead}>
      <nav aria-label="My bids" className={classes.tabs}>
        {tabs.map(({ show, label, to }) => (
          <Link
            key={show}
            to={to}
            className={classes.tab}
            aria-current={show === tab.show ? "page" : undefined}
            preventScrollReset
          >
            {label}
          </Link>
        ))}
      </nav>
      <tab.Content />
    </Page>
  );
}

/** The tabs of the page, by the `show` parameter of the address. */
const tabs = [
  {
    show: "",
    label: "Bids",
    to: "/my-bids",
    lead: "What you've bid on, and how each bid is doing.",
    Content: MyBidList,
  },
  {
    show: "watching",
    label: "Watching",
    to: watchingPath,
    lead: "We tell you once, an hour before an auction ends, unless you're winning it.",
    Content: WatchedItems,
  },
  {
    show: "searches",
    label: "Saved searches",
    to: savedSearchesPath,
    lead: "We tell you when something new fits a search.",
    Content: SavedSearches,
  },
] as const;

const myBidsQuery = api.auctions.myBids.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

/**
 * The products that the viewer bid on, a page at a time. The frame's bell keeps the list fresh, because every change
 * creates a notification.
 */
function MyBidList() {
  const query = useInfiniteQuery(myBidsQuery);
  const own = useOwnSales();
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <AuctionListSkeleton label="Loading your bids" />;
  const groups = grouped(data.pages.flatMap(({ bids }) => bids));
  const saleOf = new Map(own?.sales.toReversed().map((sale) => [sale.productId, sale]));
  return (
    <>
      {own && <OwnStrikes {...own} />}
      {own && <OwnOffers {...own} />}
      {groups.length === 0 && <NoBids />}
      {groups.map(({ position, title, bids }) => (
        <section key={position} className={classes.group} aria-labelledby={`group-${position}`}>
          <h2 className={classes.title} id={`group-${position}`}>
            {title}
          </h2>
          <AuctionList>
            {bids.map((bid) => (
              <MyBidRow key={bid.productId} bid={bid} sale={saleOf.get(bid.productId)} />
            ))}
          </AuctionList>
        </section>
      ))}
      <ShowMore query={query} />
      {own && groups.length > 0 && <SecondChanceChoice wantsSecondChances={own.wantsSecondChances} />}
    </>
  );
}

function NoBids() {
  return (
    <EmptyState title="No bids yet." text="Products you bid on will appear here, with how each bid is doing.">
      <LinkButton primary to="/auctions">
        See open auctions
      </LinkButton>
    </EmptyState>
  );
}

/** One product that the viewer bid on, and the position of the bid. */
function MyBidRow({ bid, sale }: { bid: MyBid; sale: SaleView | undefined }) {
  const { productId, productName, picture, position, amount, price, sold } = bid;
  const badge = bidBadges[position];
  const to = `/product/${productId}`;
  const hasEnded = useHasEnded(bid.endDate.getTime());
  const isOver = hasEnded || position === "removed";
  const ended = sold ? "sold" : "over";
  const label = priceLabel(isOver ? ended : "open", 1);
  return (
    <AuctionRow
      productId={productId}
      productName={productName}
      picture={picture}
      to={position === "removed" ? null : to}
      figures={[`Your bid ${formatMoney(amount)}`, `${label} ${formatMoney(price)}`]}
      note={noteOf(bid, sale, isOver)}
      heading="h3"
    >
      {badge && <StateBadge tone={badge.tone}>{badge.label}</StateBadge>}
      {sale && <StateBadge tone={saleBadges[sale.state].tone}>{saleBadges[sale.state].label}</StateBadge>}
      {sale && <SaleActs sale={sale} />}
      {position === "outbid" && !isOver && (
        <LinkButton primary to={to}>
          Bid again
        </LinkButton>
      )}
    </AuctionRow>
  );
}

/** Returns the text below a row's figures: who took it off sale, the state of the handover, or its end. */
function noteOf(bid: MyBid, sale: SaleView | undefined, isOver: boolean): ReactNode {
  if (bid.position === "removed") return removalText(bid);
  if (!sale) return <End endDate={bid.endDate} isOver={isOver} />;
  const { state, wait } = saleWords(sale, formatMoment);
  return [state, wait].filter(Boolean).join(" ");
}

const End = ({ endDate, isOver }: { endDate: Date; isOver: boolean }) => (
  <>
    {isOver ? "Ended" : "Ends"} <time dateTime={endDate.toISOString()}>{formatMoment(endDate)}</time>
  </>
);
