import { IconCircle, IconCircleCheckFilled, IconFolder } from "@tabler/icons-react";
import { type DocumentState, documentLabel } from "#domain/document.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import classes from "./student-dashboard.module.css";
import type { Dashboard } from "./use-dashboard.ts";

const stateWords: Record<DocumentState, string> = {
  uploaded: "Uploaded",
  approved: "Approved",
  rejected: "Rejected",
};

type Slot = Dashboard["documents"][number];

/** The six documents, each with a tick when uploaded or a circle when pending. */
export function DocumentsCard({ documents, onOpen }: { documents: readonly Slot[]; onOpen: () => void }) {
  return (
    <Card
      title="Documents"
      icon={<IconFolder />}
      action={
        <Button variant="default" size="md" aria-haspopup="dialog" onClick={onOpen}>
          Upload Documents
        </Button>
      }
    >
      <ul className={classes.documents}>
        {documents.map((slot) => (
          <Document key={slot.kind} slot={slot} />
        ))}
      </ul>
    </Card>
  );
}

function Document({ slot: { kind, state, reason } }: { slot: Slot }) {
  const isThere = countsAsUploaded(state ?? undefined);
  const Icon = isThere ? IconCircleCheckFilled : IconCircle;
  return (
    <li className={classes.document} data-there={isThere || undefined}>
      <Icon size={20} aria-hidden className={classes.mark} />
      <span>{documentLabel[kind]}</span>
      <span className={classes.state} data-state={state}>
        {state === null ? "Pending" : stateWords[state]}
      </span>
      {reason && <span className={classes.reason}>{reason}</span>}
    </li>
  );
}
