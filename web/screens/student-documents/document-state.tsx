import type { DocumentState } from "#domain/document.ts";
import classes from "./document-state.module.css";

const words: Record<DocumentState, string> = {
  uploaded: "Waiting for review",
  approved: "Approved",
  rejected: "Rejected",
};

/** Where a document stands; null for a slot that is empty. */
export const DocumentStateBadge = ({ state }: { state: DocumentState | null }) => (
  <span className={classes.state} data-state={state ?? undefined}>
    {state === null ? "Not uploaded" : words[state]}
  </span>
);
