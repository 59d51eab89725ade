import type { Stage } from "#domain/pipeline.ts";
import classes from "./pipeline.module.css";

const words: Record<Stage["status"], string> = {
  done: "done",
  current: "now",
  halted: "ended here",
  ahead: "to come",
};

/** The stages of an application, as a line on a wide screen and as a column on a narrow one. */
export function Pipeline({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol className={classes.pipeline} aria-label="Stages of the application">
      {stages.map(({ label, status }) => (
        <li
          key={label}
          className={classes.stage}
          data-status={status}
          aria-current={status === "current" || status === "halted" ? "step" : undefined}
        >
          <span className={classes.label}>{label}</span>
          <span className={classes.words}>, {words[status]}</span>
        </li>
      ))}
    </ol>
  );
}
