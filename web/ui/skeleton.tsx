import type { ComponentProps } from "react";
import classes from "./skeleton.module.css";

type Spacing = "xs" | "sm" | "md" | "lg" | "xl";
type SkeletonProps = Omit<ComponentProps<"div">, "style"> & {
  /** Pixels; left out where a class says how high. */
  h?: number;
  w?: number | string;
  mt?: Spacing;
  mb?: Spacing;
};

const spacing = (size: Spacing | undefined) => size && `var(--mantine-spacing-${size})`;

/** Holds the place of something that is on its way. */
export const Skeleton = ({ h, w, mt, mb, className = "", ...box }: SkeletonProps) => (
  <div
    className={`${classes.skeleton} ${className}`}
    style={{ height: h, width: w, marginTop: spacing(mt), marginBottom: spacing(mb) }}
    {...box}
  />
);
