import { type ReactNode, useId } from "react";
import classes from "./section.module.css";

type SectionProps = {
  title: string;
  lead?: string;
  /** Placed at the end of the headline's line. */
  aside?: ReactNode;
  children?: ReactNode;
};

/** A chapter of a public page with its headline. */
export function Section({ title, lead, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.head}>
        <div>
          <h2 id={id} className={classes.title}>
            {title}
          </h2>
          {lead && <p className={classes.lead}>{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
