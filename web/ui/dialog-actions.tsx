import type { ReactNode } from "react";
import classes from "./dialog.module.css";

/** The buttons at the end of a dialog; the safe one stands first and has the focus. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
