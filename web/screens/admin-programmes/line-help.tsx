import type { ReactNode } from "react";
import classes from "./line-help.module.css";

/** Explains a field that has one thing a line, with lines that can be typed as they stand. */
export const LineHelp = ({ examples, children }: { examples: readonly string[]; children: ReactNode }) => (
  <>
    {children}
    <span className={classes.examples}>
      {examples.map((line) => (
        <code key={line} className={classes.line}>
          {line}
        </code>
      ))}
    </span>
  </>
);
