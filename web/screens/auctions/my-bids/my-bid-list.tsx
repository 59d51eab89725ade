import { useInfiniteQuery } from "@tanstack/react-query";
import { paged } from "../../../lib/paged.ts";
import { api } from "../../../lib/rpc.ts";
import { AuctionList } from "../../../ui/auction-row.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { Retry } from "../../../ui/retry.tsx";
import { ShowMore } from "../../../ui/show-more.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { grouped } from "./bid-groups.ts";
import { MyBidRow } from "./my-bid-row.tsx";
import classes from "./my-bids.module.css";

const myBidsQuery = api.auctions.myBids.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

/** What somebody bids for, a page at a time. The bell in the frame keeps it fresh: whatever changes is news. */
export function MyBidList() {
  const query = useInfiniteQuery(myBidsQuery);
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const groups = grouped(data.pages.flatMap(({ bids }) => bids));
  if (groups.length === 0) return <NoBids />;
  return (
    <>
      {groups.map(({ position, title, bids }) => (
        <section key={position} className={classes.group} aria-labelledby={`group-${position}`}>
          <h2 className={classes.title} id={`group-${position}`}>
            {title}
          </h2>
          <AuctionList>
            {bids.map((bid) => (
              <MyBidRow key={bid.productId} bid={bid} />
            ))}
          </AuctionList>
        </section>
      ))}
      <ShowMore query={query} />
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

function ListSkeleton() {
  return (
    <Waiting label="Loading your bids">
      <Skeleton h={92} />
      <Skeleton h={92} />
      <Skeleton h={92} />
    </Waiting>
  );
}
