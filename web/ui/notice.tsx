import type { ReactNode } from "react";
import classes from "./notice.module.css";

type NoticeProps = {
  /** Something to know before going on, or the success of an action. */
  kind?: "information" | "success";
  /** The button of the action that it suggests. */
  action?: ReactNode;
  children: ReactNode;
};

/** A sentence that stands out above its subject. */
export function Notice({ kind = "information", action, children }: NoticeProps) {
  return (
    <output className={classes.notice} data-kind={kind}>
      <span>{children}</span>
      {action}
    </output>
  );
}
