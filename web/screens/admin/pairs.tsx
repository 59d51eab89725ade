import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { BiddingPair } from "#contract/trade-reports.ts";
import { pairLimits, signText } from "#domain/pair.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import classes from "./duplicates.module.css";
import { TableSkeleton } from "./paged-table.tsx";

export const meta = () => pageMeta("Bidding pairs");

/** Pairs of bidder and seller for an admin to review. Nothing follows automatically. */
export default function Pairs() {
  const { data, error, refetch } = useQuery(api.tradeReports.pairs.queryOptions({ input: {} }));
  return (
    <Page wide title="Bidding pairs">
      <AdminNav />
      <p className={table.lead}>
        Bidders and sellers who met in at least {pairLimits.common} auctions of the last {pairLimits.days}{" "}
        days and show at least {pairLimits.signs} signs of bids that aren't meant to win. No sign is proof:
        families share a network, and collectors follow one dealer. Being listed has no consequences.
      </p>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <TableSkeleton label="Looking for pairs" />}
      {data?.pairs.length === 0 && (
        <EmptyState title="No pairs to look at" text="Nobody shows two signs or more." />
      )}
      {data && data.pairs.length > 0 && (
        <ul className={classes.groups} aria-label="Pairs">
          {data.pairs.map((pair) => (
            <Pair key={`${pair.seller.id} ${pair.bidder.id}`} pair={pair} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Pair({ pair }: { pair: BiddingPair }) {
  const { seller, bidder, common, signs } = pair;
  const id = useId();
  return (
    <li className={classes.group} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {bidder.name} on items of {seller.name}
        <span className={classes.hint}> {common} auctions in common</span>
      </h2>
      <ul className={classes.members}>
        <Person label="Bidder" {...bidder} />
        <Person label="Seller" {...seller} />
      </ul>
      <ul className={classes.signs} aria-label="Signs">
        {signs.map((sign) => (
          <li key={sign}>{signText(sign, pair)}</li>
        ))}
      </ul>
    </li>
  );
}

const Person = ({ label, name, email }: BiddingPair["seller"] & { label: string }) => (
  <li className={classes.member}>
    <div className={classes.hint}>{label}</div>
    <TextLink to={`/admin/accounts?${new URLSearchParams({ search: email }).toString()}`}>{name}</TextLink>
    <div className={classes.hint}>{email}</div>
  </li>
);
