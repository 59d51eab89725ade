import { type Deadline, deadlineWords, isOverdue } from "#domain/deadline.ts";
import { ownZone } from "../../lib/format-date.ts";
import { serverNow } from "../../lib/server-clock.ts";
import classes from "./offer-section.module.css";

/** A deadline on its own clock, and on the viewer's if that differs. Differing dates are emphasized. */
export function DeadlineText({ due }: { due: Deadline & { at: Date } }) {
  const { there, here, datesDiffer } = deadlineWords(due, ownZone(), new Date(serverNow()));
  const words = (
    <>
      {there}
      {here && <span className={classes.here}> ({here})</span>}
    </>
  );
  return (
    <time dateTime={due.at.toISOString()}>
      {datesDiffer ? <strong className={classes.differs}>{words}</strong> : words}
    </time>
  );
}

/** The deadline to reply to an offer, which is marked once it has passed. */
export const ReplyBy = ({ due }: { due: Deadline & { at: Date } }) =>
  isOverdue(due, new Date(serverNow())) ? (
    <strong className={classes.overdue}>
      Reply overdue since <DeadlineText due={due} />
    </strong>
  ) : (
    <>
      Reply by <DeadlineText due={due} />
    </>
  );
