import { documentLabel, documentLimits } from "#domain/document.ts";
import { reasonProblem } from "#domain/document-review.ts";
import { ReasonDialog } from "../../ui/reason-dialog.tsx";
import type { ReviewedFile } from "./use-review.ts";

type RejectDialogProps = {
  /** Null: nothing is rejected, and the dialog is closed. */
  file: ReviewedFile | null;
  onReject: (file: ReviewedFile, reason: string) => Promise<void>;
  onClose: () => void;
};

export const RejectDialog = ({ file, onReject, onClose }: RejectDialogProps) => (
  <ReasonDialog
    opened={file !== null}
    title={`Reject ${file ? documentLabel[file.kind] : ""}`}
    draft={`reject ${file?.id}`}
    maxLength={documentLimits.reason}
    check={reasonProblem}
    send={async (reason) => {
      if (file) await onReject(file, reason);
    }}
    action={{ text: "Reject", busyText: "Rejecting..." }}
    errorTitle="Review Error"
    onClose={onClose}
  >
    The student will see this reason and be asked for a new file.
  </ReasonDialog>
);
