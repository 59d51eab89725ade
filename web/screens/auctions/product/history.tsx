import { useMutation } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import type { ProductState, ShownBid } from "#contract/auctions.ts";
import { formatMoney } from "#domain/money.ts";
import { isAdmin } from "#domain/permission.ts";
import { bidsPerPage } from "#protocol/page-sizes.ts";
import { useFormats } from "../../../lib/format-date.ts";
import { useHydrated } from "../../../lib/hydration.ts";
import { rpc } from "../../../lib/rpc.ts";
import { useViewer } from "../../../lib/viewer.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorModal } from "../../../ui/error-modal.tsx";
import { late, Nothing } from "../../../ui/late.tsx";
import classes from "./history.module.css";
import type { ViewerFacts } from "./viewer-relation.ts";

/** Lazy-loaded, because the list beside it shows the same. */
const PriceCurve = late(() => import("./price-curve.tsx"), Nothing);
/** Lazy-loaded, because few people use it, and only after reading the history. */
const Books = late(() => import("./books.tsx"));
/** Lazy-loaded, because only sellers and admins see it. */
const VoidBids = late(() => import("./void-bids.tsx"));

type HistoryProps = { product: ProductState; facts: ViewerFacts | null };

/** All bids, newest first: only the seller sees names unmasked, and the viewer's own bids are 'You'. */
export function History({ product, facts }: HistoryProps) {
  const { bids, hasOlder, isLoading, showOlder, failure, clearFailure } = useBidHistory(product);
  const [first] = useState(product.bids[0]?.number ?? 0);
  const isHydrated = useHydrated();
  const hasCurve = bids.filter(({ counts, row }) => counts && row === undefined).length > 1;
  const viewer = useViewer();
  const mayVoid = product.state === "open" && (facts?.isSeller || (viewer !== null && isAdmin(viewer)));
  return (
    <section aria-labelledby="bids">
      <h2 id="bids" className={classes.heading}>
        Bids
      </h2>
      {bids.length === 0 && (
        <p className={classes.none}>{product.state === "open" ? "No bids yet." : "There were no bids."}</p>
      )}
      <div className={classes.columns} data-curve={hasCurve || undefined}>
        {hasCurve && (
          <div className={classes.curve}>
            {isHydrated && (
              <Suspense>
                <PriceCurve bids={bids} isPart={hasOlder} />
              </Suspense>
            )}
          </div>
        )}
        <div>
          <ol className={classes.bids} reversed aria-labelledby="bids">
            {bids.map((bid) => (
              <Row key={bid.number} bid={bid} bidder={nameOf(bid, facts)} isNew={bid.number > first}>
                {mayVoid && facts && bid.counts && bid.tag !== facts.tag && (
                  <Suspense>
                    <VoidBids
                      productId={product.id}
                      number={bid.number}
                      bidder={nameOf(bid, facts)}
                      facts={facts}
                    />
                  </Suspense>
                )}
              </Row>
            ))}
          </ol>
          {hasOlder && (
            <Button variant="default" spaced disabled={isLoading} onClick={showOlder}>
              {isLoading ? "Loading..." : "Show older"}
            </Button>
          )}
        </div>
      </div>
      {bids.length > 0 && (
        <div className={classes.books}>
          {isHydrated && (
            <Suspense>
              <Books productId={product.id} />
            </Suspense>
          )}
        </div>
      )}
      <ErrorModal title="Error" error={failure} onClose={clearFailure} />
    </section>
  );
}

function nameOf({ tag, bidder }: ShownBid, facts: ViewerFacts | null): string {
  return tag === facts?.tag ? "You" : (facts?.names[tag] ?? bidder);
}

type RowProps = {
  bid: ShownBid;
  bidder: string;
  isNew: boolean;
  /** The actions of sellers and admins on it. */
  children: ReactNode;
};

const Row = (props: RowProps) => (props.bid.row ? <Withdrawal {...props} /> : <Bid {...props} />);

/** A row of the history that isn't a bid: earlier bids of this person no longer count. */
function Withdrawal({ bid: { row, amount, at, reason }, bidder, isNew }: RowProps) {
  const when = new Date(at);
  const { formatMomentToTheSecond } = useFormats();
  const whose = bidder === "You" ? "your" : `${bidder}'s`;
  return (
    <li className={classes.bid} data-new={isNew || undefined}>
      <span>
        {row === "voided"
          ? `An administrator voided ${whose} bids. Reason: ${reason ?? "none"}`
          : `${bidder} withdrew ${bidder === "You" ? "your" : "their"} bids.`}
      </span>
      <span className={classes.when}>
        <time dateTime={when.toISOString()}>{formatMomentToTheSecond(when)}</time>
      </span>
      <span className={classes.price}>{amount === 0 ? "no bid left" : `price ${formatMoney(amount)}`}</span>
    </li>
  );
}

const voidWords = { withdrawn: "withdrawn", superseded: "no longer stands" } as const;

function Bid({ bid, bidder, isNew, children }: RowProps) {
  const { amount, automatic, at, counts } = bid;
  const when = new Date(at);
  const { formatMomentToTheSecond } = useFormats();
  return (
    <li className={classes.bid} data-new={isNew || undefined}>
      <span className={bidder === "You" ? classes.own : undefined}>{bidder}</span>
      <span className={classes.when}>
        <time dateTime={when.toISOString()}>{formatMomentToTheSecond(when)}</time>
        {automatic && " · automatic"} {children}
      </span>
      {counts ? (
        <span className={classes.amount}>{formatMoney(amount)}</span>
      ) : (
        <span className={classes.amount}>
          <s>{formatMoney(amount)}</s>{" "}
          <span className={classes.void}>{bid.void ? voidWords[bid.void] : "doesn't count"}</span>
        </span>
      )}
    </li>
  );
}

/** A product's bids, newest first, live; older ones are loaded a page at a time. */
function useBidHistory({ id, bids: latest }: ProductState) {
  const [earlier, setEarlier] = useState<readonly ShownBid[]>(latest);
  const [limit, setLimit] = useState(bidsPerPage);
  const [previous, setPrevious] = useState(latest);
  const bids = joinBids(latest, earlier, limit);
  if (previous !== latest) {
    // Bids that drop out of the latest ones stay visible.
    setPrevious(latest);
    setEarlier(bids);
  }
  const below = bids.at(-1)?.number ?? 1;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => rpc.auctions.bids({ productId: id, below }),
    onSuccess: (page) => {
      const older = page.bids.map((bid) => ({ ...bid, at: bid.at.getTime() }));
      setEarlier((before) => [...before, ...older]);
      setLimit((before) => before + bidsPerPage);
    },
  });
  return {
    bids,
    hasOlder: below > 1,
    isLoading: isPending,
    showOlder: () => mutate(),
    failure: error,
    clearFailure: reset,
  };
}

/**
 * Joins the latest bids of a product with those seen before, newest first, up to the first gap. A page that was hidden
 * during many bids has a gap; the bids in it are loaded again.
 */
export function joinBids(
  latest: readonly ShownBid[],
  earlier: readonly ShownBid[],
  limit: number,
): readonly ShownBid[] {
  const byNumber = new Map([...earlier, ...latest].map((bid) => [bid.number, bid]));
  const joined: ShownBid[] = [];
  let number = latest[0]?.number ?? 0;
  for (let bid = byNumber.get(number); bid && joined.length < limit; bid = byNumber.get(--number))
    joined.push(bid);
  return joined;
}
