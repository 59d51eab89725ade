import type { ReactNode } from "react";
import classes from "./state-badge.module.css";

/** In progress, good news, waiting for the person, or over. */
export type Tone = "going" | "good" | "asks" | "ended";

/** A state in a word or two. */
export const StateBadge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={classes.badge} data-tone={tone}>
    {children}
  </span>
);
