import type { ReactNode } from "react";
import classes from "./notice.module.css";

/** Good news: done. Information: something to know before going on. */
type Kind = "information" | "success";

/** A sentence that stands out above what it is about. */
export function Notice({ kind = "information", children }: { kind?: Kind; children: ReactNode }) {
  return (
    <output className={classes.notice} data-kind={kind}>
      {children}
    </output>
  );
}
