import { documentLabel, documentLimits } from "#domain/document.ts";
import { reasonProblem } from "#domain/document-review.ts";
import { draftOf, dropDraft, keepDraft } from "../../lib/drafts.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { Form } from "../../ui/form/form.tsx";
import { SubmitButton } from "../../ui/form/submit-button.tsx";
import { TextAreaField } from "../../ui/form/text-area-field.tsx";
import type { ReviewedFile } from "./use-review.ts";

type RejectDialogProps = {
  /** Null: nothing is rejected, and the dialog is closed. */
  file: ReviewedFile | null;
  onReject: (file: ReviewedFile, reason: string) => Promise<void>;
  onClose: () => void;
};

const fields = ["reason"] as const;

/** Asks for the reason, which the student sees. */
export function RejectDialog({ file, onReject, onClose }: RejectDialogProps) {
  const draft = `reject ${file?.id}`;
  const label = file ? documentLabel[file.kind] : "";
  return (
    <Dialog opened={file !== null} onClose={onClose} title={`Reject ${label}`}>
      <p className={classes.lead}>The student will see this reason and be asked for a new file.</p>
      <Form
        errorTitle="Review Error"
        fields={fields}
        check={({ reason }) => reasonProblem(reason)}
        onEdit={(typed) => keepDraft(draft, typed, { reason: "" }, fields)}
        send={async ({ reason }) => {
          if (file) await onReject(file, reason);
          dropDraft(draft);
          onClose();
        }}
      >
        <TextAreaField
          name="reason"
          label="Reason"
          rows={4}
          maxLength={documentLimits.reason}
          defaultValue={draftOf<"reason">(draft).reason ?? ""}
        />
        <DialogActions>
          <Button variant="default" size="md" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton busyText="Rejecting...">Reject</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
