import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { WaitingOffer } from "#contract/offers.ts";
import { stateLabels } from "#domain/application.ts";
import { applicationName } from "#domain/application-notification.ts";
import { offerRankLabels } from "#domain/offer.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { passFocusOn } from "../../lib/focus.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import { StateBadge } from "../../ui/state-badge.tsx";
import { ReplyBy } from "./deadline-text.tsx";
import classes from "./offers.module.css";

export const meta = () => pageMeta("Offers to answer");

const offersQuery = api.offers.toAnswer.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

/** Open offers, the earliest deadline to reply first: those of an agent's students, or all for admins. */
export default function Offers() {
  useLive("dashboard");
  useLive("students");
  return (
    <Page
      title="Offers to answer"
      lead="Open offers, by the time to reply. Nothing is accepted or declined by itself."
    >
      <OfferList />
    </Page>
  );
}

function OfferList() {
  const query = useInfiniteQuery(offersQuery);
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Waiting label="Loading offers">
        <Skeleton h={88} mb={12} />
        <Skeleton h={88} mb={12} />
        <Skeleton h={88} />
      </Waiting>
    );
  const offers = data.pages.flatMap((page) => page.offers);
  if (offers.length === 0)
    return (
      <EmptyState
        title="No open offers"
        text="Offers appear here when an application reaches Conditional offer or Unconditional offer."
      />
    );
  return (
    <>
      <ul className={classes.list} aria-label="Offers to answer">
        {offers.map((offer) => (
          <OfferRow key={offer.applicationId} offer={offer} />
        ))}
      </ul>
      <ShowMore query={query} />
    </>
  );
}

function OfferRow({ offer }: { offer: WaitingOffer }) {
  const { student, intake, state, replyBy, rank, conditions } = offer;
  return (
    <li ref={passFocusOn} className={classes.row}>
      <div className={classes.head}>
        <Link to={applicationPath(offer.applicationId)} className={classes.name}>
          {student.name}
        </Link>
        <StateBadge tone={state === "unconditionalOffer" ? "asks" : "going"}>{stateLabels[state]}</StateBadge>
      </div>
      <p className={classes.program}>{applicationName({ ...offer, startDate: intake })}</p>
      <p className={classes.facts}>
        {replyBy ? <ReplyBy due={replyBy} /> : "No reply-by date entered"}
        {conditions.all > 0 && <span>{conditionsWords(conditions)}</span>}
        {rank && <span>{offerRankLabels[rank]}</span>}
      </p>
    </li>
  );
}

function conditionsWords({ all, settled, claimed }: WaitingOffer["conditions"]): string {
  const met = `${settled} of ${all} ${all === 1 ? "condition" : "conditions"} met`;
  return claimed > 0 ? `${met}, ${claimed} to check` : met;
}
