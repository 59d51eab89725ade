import { useId } from "react";
import { barColour } from "#domain/progress.ts";
import classes from "./progress-bar.module.css";

/** A progress bar that always shows its number. */
export function ProgressBar({ label, percentage }: { label: string; percentage: number }) {
  const id = useId();
  return (
    <div>
      <div className={classes.head}>
        <span id={id}>{label}</span>
        <span className={`${classes.number} tabular`}>{percentage}%</span>
      </div>
      <progress
        aria-labelledby={id}
        max={100}
        value={percentage}
        className={classes.bar}
        data-colour={barColour(percentage)}
      />
    </div>
  );
}
