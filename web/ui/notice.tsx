import type { ReactNode } from "react";
import classes from "./notice.module.css";

type NoticeProps = {
  /** Something to know before going on, or good news: done. */
  kind?: "information" | "success";
  /** What can be done about it. */
  action?: ReactNode;
  children: ReactNode;
};

/** A sentence that stands out above what it is about. */
export function Notice({ kind = "information", action, children }: NoticeProps) {
  return (
    <output className={classes.notice} data-kind={kind}>
      <span>{children}</span>
      {action}
    </output>
  );
}
