import { useLocation } from "react-router";
import type { ProductState } from "#contract/auctions.ts";
import { bidTexts, mostBid } from "#domain/bid.ts";
import { type Cents, formatMoney } from "#domain/money.ts";
import { useIsMember } from "../../../lib/viewer.ts";
import { LinkButton } from "../../../ui/button.tsx";
import { Either } from "../../../ui/either.tsx";
import { loginPath } from "../login-path.ts";
import { BidForm } from "./bid-form.tsx";
import { OwnLimit } from "./own-limit.tsx";
import classes from "./panel.module.css";
import type { ViewerRelation } from "./viewer-relation.ts";

type BiddingProps = {
  product: ProductState;
  mine: ViewerRelation;
  /** The viewer's limit while they lead with one. */
  limit: Cents | null;
  onTooLate: (error: Error) => void;
};

/** The viewer's options in an open auction: the bid form, a link to log in and bid, or a note for the seller. */
export function Bidding({ product, mine, limit, onTooLate }: BiddingProps) {
  const isMember = useIsMember();
  if (mine === "seller")
    return (
      <p className={classes.result}>Bids appear below as they come in. You can't bid on your own product.</p>
    );
  const ownLimit = mine === "winning" && limit !== null && limit > product.price ? limit : null;
  if (ownLimit === null && product.leastBid > mostBid(null))
    return <p className={classes.result}>{bidTexts.noHigher}</p>;
  return (
    <Either
      isMember={isMember}
      member={
        <>
          {ownLimit !== null && <OwnLimit product={product} limit={ownLimit} />}
          <BidForm product={product} isLeader={mine === "winning"} onTooLate={onTooLate} />
        </>
      }
      visitor={<LogInToBid least={product.leastBid} />}
    />
  );
}

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
