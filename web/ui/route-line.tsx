import classes from "./route-line.module.css";

/** A dotted way from one place to the next: decoration under a headline. */
export function RouteLine() {
  return (
    <svg className={classes.line} viewBox="0 0 360 72" width={360} height={72} aria-hidden="true">
      <path d="M12 56 C 80 4, 150 4, 184 36 S 292 70, 346 18" className={classes.way} />
      <circle cx="12" cy="56" r="6" className={classes.stop} />
      <circle cx="184" cy="36" r="4" className={classes.stop} />
      <circle cx="346" cy="18" r="7" className={classes.goal} />
    </svg>
  );
}
