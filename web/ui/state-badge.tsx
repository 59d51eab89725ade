import type { ReactNode } from "react";
import classes from "./state-badge.module.css";

/** Going on, good news, something is asked of the person, or nothing to do (any more). */
export type Tone = "going" | "good" | "asks" | "ended";

/** Where something stands, in a word or two. */
export const StateBadge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);
