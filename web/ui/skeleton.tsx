import type { ComponentProps } from "react";
import classes from "./skeleton.module.css";

type SkeletonProps = Omit<ComponentProps<"div">, "style"> & {
  /** Pixels; left out where a class says how high. */
  h?: number;
  w?: number | string;
  mt?: number;
  mb?: number;
  /** What is on its way, for readers; without it something around says so. */
  label?: string;
};

/** Holds the place of something that is on its way. */
export function Skeleton({ label, h, w, mt, mb, className = "", ...box }: SkeletonProps) {
  // A name may not stand on a plain box.
  const Box = label === undefined ? "div" : "section";
  return (
    <Box
      className={`${classes.skeleton} ${className}`}
      style={{ height: h, width: w, marginTop: mt, marginBottom: mb }}
      aria-label={label}
      aria-busy={label === undefined ? undefined : true}
      {...box}
    />
  );
}
