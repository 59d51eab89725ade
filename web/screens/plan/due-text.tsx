import { Fragment } from "react";
import {
  type Deadline,
  deadlineThere,
  deadlineWords,
  dueWords,
  isOverdue,
  strictnessWords,
} from "#domain/deadline.ts";
import { ownZone } from "../../lib/format-date.ts";
import { useHydrated, useRenderedAt } from "../../lib/hydration.ts";
import { serverNow } from "../../lib/server-clock.ts";
import classes from "./plan.module.css";

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** A deadline on its own clock, and on the viewer's if that differs. Differing dates are emphasized. */
export function ClockWords({ due }: { due: Deadline }) {
  const { there, here, datesDiffer } = deadlineWords(due, ownZone(), new Date(serverNow()));
  const words = [there, ...(here === null ? [] : [here])];
  return words.map((each, at) => (
    <Fragment key={each}>
      {at > 0 && "; "}
      {datesDiffer ? <strong>{each}</strong> : each}
    </Fragment>
  ));
}

/**
 * A deadline on the institution's clock, and on the viewer's once it is known in the browser. A browser's rules for a
 * time zone may differ from the server's, which must not make React render the whole page again.
 */
export function Clocks({ due }: { due: Deadline }) {
  const renderedAt = useRenderedAt();
  if (useHydrated()) return <ClockWords due={due} />;
  return <span suppressHydrationWarning>{deadlineThere(due, new Date(renderedAt))}</span>;
}

/** A deadline: the time left, the time on its own clock, and that on the viewer's. */
export function DueText({ due }: { due: Deadline }) {
  const now = new Date(serverNow());
  return (
    <p>
      <strong className={classes.when} data-overdue={isOverdue(due, now) || undefined}>
        {capital(dueWords(due, now))}
      </strong>
      {" · by "}
      <ClockWords due={due} />
      {`. ${strictnessWords(due.hard)}`}
    </p>
  );
}
