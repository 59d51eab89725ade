import type { ReactNode } from "react";
import classes from "./skeleton.module.css";

type SkeletonProps = {
  /** Height in pixels; left out if a class sets it. */
  h?: number;
  w?: number | string;
  mt?: number;
  mb?: number;
  /** The name of what is loading, for screen readers; left out if an element around it says so. */
  label?: string;
  className?: string;
};

/** Reserves the space of loading content. */
export function Skeleton({ label, h, w, mt, mb, className = "" }: SkeletonProps) {
  // A plain box can't have an accessible name.
  const Box = label === undefined ? "div" : "section";
  return (
    <Box
      className={`${classes.skeleton} ${className}`}
      style={{ height: h, width: w, marginTop: mt, marginBottom: mb }}
      aria-label={label}
      aria-busy={label === undefined ? undefined : true}
    />
  );
}

type WaitingProps = {
  /** The name of what is loading, for screen readers. */
  label: string;
  /** Replaces the layout in one column. */
  className?: string | undefined;
  gap?: "xs" | "md" | "lg";
  children: ReactNode;
};

/** Skeletons that together reserve the space of loading content. A section, because a plain box can't have a name. */
export const Waiting = ({ label, className = classes.boxes, gap = "md", children }: WaitingProps) => (
  <section aria-busy="true" aria-label={label} className={className} data-gap={gap}>
    {children}
  </section>
);
