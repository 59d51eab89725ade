import { IconCircle, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import type { DocumentSlot } from "#contract/documents.ts";
import { documentLabel } from "#domain/document.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import { formatDate } from "../../lib/format-date.ts";
import { formatSize } from "../../lib/format-size.ts";
import { DocumentStateBadge } from "./document-state.tsx";
import classes from "./slot-row.module.css";

/** The six slots under each other. */
export const SlotRows = ({ children }: { children: ReactNode }) => (
  <div className={classes.narrowing}>
    <ul className={classes.list}>{children}</ul>
  </div>
);

/** One slot: a tick when something counts in it, or a circle; what is in it, and what can be done with it. */
export function SlotRow({ slot, children }: { slot: DocumentSlot; children: ReactNode }) {
  const titleId = useId();
  const { kind, current, earlier } = slot;
  const isThere = countsAsUploaded(current?.state);
  const Mark = isThere ? IconCircleCheck : IconCircle;
  return (
    <li className={classes.row} aria-labelledby={titleId}>
      <span className={classes.mark} data-there={isThere || undefined}>
        <Mark size={24} stroke={1.6} aria-hidden />
      </span>
      <p id={titleId} className={classes.title}>
        {documentLabel[kind]}
        <DocumentStateBadge state={current?.state ?? null} />
      </p>
      {current && (
        <p className={classes.facts}>
          {current.name}
          {" · "}
          <span className={classes.figures}>
            {formatSize(current.size)} · {formatDate(current.uploadedAt)}
          </span>
          {earlier > 0 && ` · ${earlier} earlier ${earlier === 1 ? "version" : "versions"} kept`}
        </p>
      )}
      {current?.state === "rejected" && (
        <p className={classes.reason}>
          <strong>Why it was rejected:</strong> {current.reason}
        </p>
      )}
      <div className={classes.actions}>{children}</div>
    </li>
  );
}
