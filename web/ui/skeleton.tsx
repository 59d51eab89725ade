import type { ReactNode } from "react";
import classes from "./skeleton.module.css";

type SkeletonProps = {
  /** Pixels; left out where a class says how high. */
  h?: number;
  w?: number | string;
  mt?: number;
  mb?: number;
  /** What is on its way, for readers; without it something around says so. */
  label?: string;
  className?: string;
};

/** Holds the place of something that is on its way. */
export function Skeleton({ label, h, w, mt, mb, className = "" }: SkeletonProps) {
  // A name may not stand on a plain box.
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
