import type { ReactNode } from "react";
import classes from "./api-docs.module.css";

/** Where a chapter is linked to. */
export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-");

export const Chapter = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-labelledby={anchorOf(title)}>
    <h2 id={anchorOf(title)} className={classes.title}>
      {title}
    </h2>
    {children}
  </section>
);
