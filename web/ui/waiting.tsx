import type { ReactNode } from "react";
import classes from "./waiting.module.css";

type WaitingProps = {
  /** What is on its way, for readers. */
  label: string;
  /** Instead of one below the other. */
  className?: string | undefined;
  gap?: "xs" | "md" | "lg";
  children: ReactNode;
};

/** Skeletons that together hold the place of something: a name may not stand on a plain box. */
export const Waiting = ({ label, className = classes.boxes, gap = "md", children }: WaitingProps) => (
  <section aria-busy="true" aria-label={label} className={className} data-gap={gap}>
    {children}
  </section>
);
