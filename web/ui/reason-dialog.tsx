import type { ReactNode } from "react";
import type { Problem } from "#domain/error-catalogue.ts";
import { draftOf, dropDraft, keepDraft } from "../lib/drafts.ts";
import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";
import { Form } from "./form/form.tsx";
import { SubmitButton } from "./form/submit-button.tsx";
import { TextAreaField } from "./form/text-area-field.tsx";

type ReasonDialogProps = {
  opened: boolean;
  title: string;
  /** Who will read the reason. */
  children: ReactNode;
  /** Under which name what was typed is kept. */
  draft: string;
  maxLength: number;
  check: (reason: string) => Problem | null;
  send: (reason: string) => Promise<void>;
  /** The button's words, and while the reason is on its way. */
  action: { text: string; busyText: string };
  errorTitle: string;
  onClose: () => void;
};

const fields = ["reason"] as const;

/** Asks for the reason of something that somebody else is notified of. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { opened, title, children, draft, maxLength, check, send, action, errorTitle, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <p className={classes.lead}>{children}</p>
      <Form
        errorTitle={errorTitle}
        fields={fields}
        check={({ reason }) => check(reason)}
        onEdit={(typed) => keepDraft(draft, typed, { reason: "" }, fields)}
        send={async ({ reason }) => {
          await send(reason);
          dropDraft(draft);
          onClose();
        }}
      >
        <TextAreaField
          name="reason"
          label="Reason"
          rows={4}
          maxLength={maxLength}
          defaultValue={draftOf<"reason">(draft).reason ?? ""}
        />
        <DialogActions>
          <Button variant="default" size="md" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton busyText={action.busyText}>{action.text}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
