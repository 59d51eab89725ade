import { type ReactNode, startTransition, useEffect, useState } from "react";
import { firstSightMark } from "#domain/first-sight.ts";
import { useHydrated } from "../lib/use-hydrated.ts";
import classes from "./first-sight.module.css";

/**
 * The place of what a screen waits for. In the page that the server sends it holds the markup of just that, which
 * stays until the screen itself shows; where there is none, `children` hold the place.
 */
export const FirstSight = ({ children }: { children: ReactNode }) => (
  <>
    <div
      {...{ [firstSightMark]: "" }}
      className={classes.sight}
      // React leaves alone what it finds in here.
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: "" }}
    />
    <div className={classes.instead}>{children}</div>
  </>
);

/** Whether the first sight is to stand: as long as React takes over the page, which has it. */
export function useFirstSight(): boolean {
  const [isTakenOver, setTakenOver] = useState(useHydrated());
  // In slices, so that the page answers meanwhile.
  useEffect(() => startTransition(() => setTakenOver(true)), []);
  return !isTakenOver;
}
