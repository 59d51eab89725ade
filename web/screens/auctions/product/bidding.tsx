import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { whenOnline } from "../../../lib/online.ts";
import { useVisit } from "../../../lib/viewer.ts";
import { LinkButton } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import classes from "./panel.module.css";
import type { ViewerRelation } from "./viewer-relation.ts";

export const bidErrorTitle = "Bid Error";

/** Lazy-loaded: visitors are never shown one. */
export const loadBidForm = whenOnline(() => import("./bid-form.tsx"));
const BidForm = lazy(loadBidForm);

type BiddingProps = {
  product: ProductState;
  mine: ViewerRelation;
  onTooLate: (error: Error) => void;
};

/** What the viewer can do while the auction is open: bid, log in to bid, or, as its seller, watch. */
export function Bidding({ product, mine, onTooLate }: BiddingProps) {
  const visit = useVisit();
  if (mine === "seller")
    return (
      <p className={classes.result}>Bids appear here as they come in. You can't bid on your own product.</p>
    );
  // As the menu does, it takes whom nothing is known of for a visitor.
  if (visit.state === "unknown" && visit.hint) return <BidFormSkeleton />;
  if (visit.state === "known" && visit.viewer)
    return (
      <Suspense fallback={<BidFormSkeleton />}>
        <BidForm product={product} onTooLate={onTooLate} />
      </Suspense>
    );
  return <LogInToBid least={product.leastBid} />;
}

const BidFormSkeleton = () => <Skeleton h={136} label="Loading the bid form" />;

/** To the login, and back to this page from there. */
export const loginPath = (pathname: string): string => `/login?next=${encodeURIComponent(pathname)}`;

function LogInToBid({ least }: { least: number }) {
  const { pathname } = useLocation();
  return (
    <div className={classes.visitor}>
      <p className={classes.small}>
        At least <span className={classes.least}>{formatMoney(least)}</span>
      </p>
      <LinkButton primary to={loginPath(pathname)}>
        Log in to bid
      </LinkButton>
    </div>
  );
}
