import classes from "./wordmark.module.css";

/** The logo, a route from one place to the next, with the name. */
export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
        <path d="M6 9 C 6 30, 16 26, 16 16 S 26 6, 26 23" className={classes.way} />
        <circle cx="6" cy="8" r="4" className={classes.start} />
        <circle cx="26" cy="24" r="4" className={classes.goal} />
      </svg>
      Wayfare
    </span>
  );
}
