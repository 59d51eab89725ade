import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Application, TimelineStep } from "#contract/applications.ts";
import { type ApplicationState, stateLabels, studyCountries } from "#domain/application.ts";
import type { Mover } from "#domain/application-step.ts";
import { countryName } from "#domain/country.ts";
import { offerStates } from "#domain/offer.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { formatDate, formatMoment } from "../../lib/format-date.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { OfferSection } from "../offers/offer-section.tsx";
import classes from "./application-list.module.css";
import { OwnSteps, StaffSteps, useMove } from "./application-steps.tsx";
import { Confirmation } from "./confirmation.tsx";

type ApplicationListProps = {
  applications: readonly Application[];
  /** The role in which the viewer may move them; null for a viewer who may only read. */
  mover: Mover | null;
  /** The id of the application to scroll to. */
  sought?: string;
};

/** The applications of one student, with the steps that the viewer may take and the errors of these steps. */
export function ApplicationList({ applications, mover, sought }: ApplicationListProps) {
  const moving = useMove();
  return (
    <>
      {applications.map((application) => (
        <ApplicationItem key={application.id} application={application} isSought={application.id === sought}>
          {mover && <Confirmation application={application} mover={mover} />}
          {mover === "student" && <OwnSteps application={application} moving={moving} />}
          {mover && mover !== "student" && (
            <StaffSteps mover={mover} application={application} moving={moving} />
          )}
        </ApplicationItem>
      ))}
      <ErrorModal title="Application Error" error={moving.failure} onClose={moving.clearFailure} />
    </>
  );
}

const tones: Record<ApplicationState, Tone> = {
  submitted: "going",
  inReview: "going",
  informationRequired: "asks",
  sentToUniversity: "going",
  conditionalOffer: "going",
  unconditionalOffer: "asks",
  accepted: "going",
  visa: "going",
  enrolled: "good",
  rejected: "ended",
  withdrawn: "ended",
  deferred: "ended",
};

const statesWithOffer = new Set<ApplicationState | null>([...offerStates, "accepted", "visa", "enrolled"]);

/** Whether an application in this state may have an offer. For the others, no request is needed. */
export const mayHaveOffer = (state: ApplicationState | null): boolean => statesWithOffer.has(state);

export const ApplicationStateBadge = ({ state }: { state: ApplicationState }) => (
  <StateBadge tone={tones[state]}>{stateLabels[state]}</StateBadge>
);

/** One application: its program, its state and its history; `children` holds the actions. */
function ApplicationItem({
  application,
  isSought,
  children,
}: {
  application: Application;
  /** Whether a link leads to this application, which then scrolls into view and gets the focus. */
  isSought: boolean;
  children?: ReactNode;
}) {
  const { program, highestStudyLevel, countries, startDate, additionalInfo, state, createdAt } = application;
  const { university, year } = application;
  const titleId = useId();
  const item = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isSought) return;
    item.current?.scrollIntoView({ block: "start" });
    (item.current?.querySelector("textarea") ?? item.current)?.focus({ preventScroll: true });
  }, [isSought]);
  const where =
    countries.length === studyCountries.length ? "All countries" : countries.map(countryName).join(", ");
  return (
    <article ref={item} tabIndex={-1} className={classes.item} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h3 id={titleId} className={classes.program}>
          <TextLink to={applicationPath(application.id)}>{program}</TextLink>
        </h3>
        <ApplicationStateBadge state={state} />
      </div>
      <p className={classes.facts}>
        {university !== "" && (
          <>
            {university}
            <br />
          </>
        )}
        {highestStudyLevel} · {startDate}
        {year !== null && ` ${year}`}
        <br />
        {where}
        <br />
        Submitted {formatDate(createdAt)}
      </p>
      {additionalInfo && <p className={classes.more}>{additionalInfo}</p>}
      <LastNote application={application} />
      {mayHaveOffer(state) && <OfferSection applicationId={application.id} />}
      {children}
      <Timeline application={application} />
    </article>
  );
}

/** Titles of the last step's note that are more specific than the default. */
const noteTitles: Partial<Record<ApplicationState, string>> = {
  informationRequired: "What's needed",
  rejected: "Why it was rejected",
};

/** Shows the note of the last step, if it has one. */
export function LastNote({ application: { state, note } }: { application: Application }) {
  if (note === "") return null;
  return (
    <p className={classes.note}>
      <strong className={classes.noteTitle}>{noteTitles[state] ?? "Latest note"}</strong>
      {note}
    </p>
  );
}

/** The history of an application, loaded when opened. */
function Timeline({ application }: { application: Application }) {
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={classes.toggle}>Timeline</summary>
      {opened && <Steps applicationId={application.id} />}
    </details>
  );
}

const firstPage: number | undefined = undefined;
const stepsOf = (applicationId: string) =>
  api.applications.timeline.infiniteOptions({
    input: (before: number | undefined) => ({ applicationId, before }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

/** The steps of an application, newest first. */
export function Steps({ applicationId }: { applicationId: string }) {
  const query = useInfiniteQuery(stepsOf(applicationId));
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={72} mt={10} label="Loading the timeline" />;
  return (
    <>
      <ol className={classes.steps} reversed>
        {data.pages.flatMap(({ steps }) => steps.map((step) => <Step key={step.id} step={step} />))}
      </ol>
      <ShowMore query={query} label="Show earlier steps" spaced={false} />
    </>
  );
}

function Step({ step: { at, from, to, note, by } }: { step: TimelineStep }) {
  const viewer = useViewer();
  return (
    <li className={classes.step}>
      {/* A step to the same state changed the offer, as its note says. */}
      <span className={classes.to}>{from === to ? "Offer" : stateLabels[to]}</span>
      <div className={classes.when}>
        <time dateTime={at.toISOString()}>{formatMoment(at)}</time> · {nameOf(by, viewer?.role === "student")}
      </div>
      {note && <p className={classes.stepNote}>{note}</p>}
    </li>
  );
}

/** Returns the name of the person who took a step, for students "You" if it was they. */
function nameOf(by: TimelineStep["by"], toStudent: boolean): string {
  if (by === null) return "A former member";
  if (by.role === "admin") return "An administrator";
  return by.role === "student" && toStudent ? "You" : by.name;
}
