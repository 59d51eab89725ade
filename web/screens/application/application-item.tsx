import { type ReactNode, useEffect, useId, useRef } from "react";
import type { Application } from "#contract/applications.ts";
import { type ApplicationState, studyCountries } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { formatDate } from "../../lib/format-date.ts";
import classes from "./application-item.module.css";
import { ApplicationStateBadge } from "./application-state.tsx";
import { Timeline } from "./timeline.tsx";

/** One application: what was applied for, where it stands and how it came there; `children` is what can be done. */
export function ApplicationItem({
  application,
  isSought,
  children,
}: {
  application: Application;
  /** It was asked for: it comes into sight, and the keyboard goes on there. */
  isSought: boolean;
  children?: ReactNode;
}) {
  const { program, highestStudyLevel, countries, startDate, additionalInfo, state, createdAt } = application;
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
          {program}
        </h3>
        <ApplicationStateBadge state={state} />
      </div>
      <p className={classes.facts}>
        {highestStudyLevel} · {startDate}
        <br />
        {where}
        <br />
        Submitted {formatDate(createdAt)}
      </p>
      {additionalInfo && <p className={classes.more}>{additionalInfo}</p>}
      <LastNote application={application} />
      {children}
      <Timeline application={application} />
    </article>
  );
}

/** What the note of the last step is, where it says more than "a note". */
const noteTitles: Partial<Record<ApplicationState, string>> = {
  informationRequired: "What's needed",
  rejected: "Why it was rejected",
};

function LastNote({ application: { state, note } }: { application: Application }) {
  if (note === "") return null;
  return (
    <p className={classes.note}>
      <strong className={classes.noteTitle}>{noteTitles[state] ?? "Latest note"}</strong>
      {note}
    </p>
  );
}
