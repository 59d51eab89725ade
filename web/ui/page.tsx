import type { ReactNode } from "react";
import classes from "./page.module.css";

/** A screen's column with its headline and the sentence under it. */
export function Page({
  title,
  lead,
  narrow = false,
  wide = false,
  children,
}: {
  title?: string;
  lead?: ReactNode;
  narrow?: boolean;
  /** Makes room for a table. */
  wide?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className={classes.page} data-narrow={narrow || undefined} data-wide={wide || undefined}>
      {title && <h1 className={classes.title}>{title}</h1>}
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </div>
  );
}
