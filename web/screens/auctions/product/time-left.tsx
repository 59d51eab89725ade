import { auctionTexts } from "#domain/auction.ts";
import { timeLeftText, urgencyOf } from "#domain/time-left.ts";
import { useFormats } from "../../../lib/format-date.ts";
import classes from "./panel.module.css";

type TimeLeftProps = { endDate: number; milliseconds: number };

/** The time left against the server's clock, and the end as a date where the viewer is. */
export function TimeLeft({ endDate, milliseconds }: TimeLeftProps) {
  const left = timeLeftText(milliseconds);
  const end = new Date(endDate);
  const { formatMomentInZone } = useFormats();
  return (
    <div>
      <dt className={classes.term}>{left === null ? "Ended" : "Time left"}</dt>
      <dd className={classes.figure}>
        {left === null ? (
          auctionTexts.ended
        ) : (
          <span role="timer" className={classes.timer} data-urgency={urgencyOf(milliseconds)}>
            {left}
          </span>
        )}
      </dd>
      <dd className={classes.small}>
        <time dateTime={end.toISOString()}>{formatMomentInZone(end)}</time>
      </dd>
    </div>
  );
}
