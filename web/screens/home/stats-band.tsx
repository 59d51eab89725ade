import { useRef } from "react";
import { stats } from "../../content/stats.ts";
import classes from "./stats-band.module.css";
import { useCountOnceSeen } from "./use-count-once-seen.ts";

/** The figures count up over two seconds once they are seen. Without scripts they just stand there. */
export function StatsBand() {
  const band = useRef<HTMLDListElement>(null);
  const share = useCountOnceSeen(band);
  return (
    <section aria-label="Wayfare in figures" className={classes.band}>
      <dl ref={band} className={classes.figures}>
        {stats.map(({ label, value, suffix }) => (
          <div key={label} className={classes.figure}>
            <dt className={classes.label}>{label}</dt>
            <dd className={classes.value}>
              {/* For screen readers the figure, not each number up to it. */}
              <span className="unseen">{`${value}${suffix}`}</span>
              <span aria-hidden="true">{`${Math.round(value * share)}${suffix}`}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
