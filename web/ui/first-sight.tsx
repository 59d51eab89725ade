import type { ReactNode } from "react";
import { firstSightMark } from "#domain/first-sight.ts";
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
