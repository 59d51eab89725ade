import type { ReactNode } from "react";
import type { Problem } from "#domain/error-catalogue.ts";
import classes from "./dialog.module.css";
import { Dialog } from "./dialog.tsx";
import { TextAreaField } from "./form/fields.tsx";
import { ModalForm } from "./modal-form.tsx";

type ReasonDialogProps = {
  opened: boolean;
  title: string;
  /** The explanation of who will read the reason. */
  children: ReactNode;
  /** The name under which the draft is kept. */
  draft: string;
  maxLength: number;
  check: (reason: string) => Problem | null;
  send: (reason: string) => Promise<void>;
  /** The button's text, and its text while the reason is sent. */
  action: { text: string; busyText: string };
  errorTitle: string;
  onClose: () => void;
};

/** Asks for the reason for an action of which another person is notified. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { opened, title, children, draft, maxLength, check, send, action, errorTitle, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <p className={classes.words}>{children}</p>
      <ModalForm
        errorTitle={errorTitle}
        fields={["reason"]}
        check={({ reason }) => check(reason)}
        draftName={draft}
        send={({ reason }) => send(reason)}
        onDone={onClose}
        onCancel={onClose}
        action={action.text}
        busyText={action.busyText}
      >
        <TextAreaField name="reason" label="Reason" rows={4} maxLength={maxLength} />
      </ModalForm>
    </Dialog>
  );
}
