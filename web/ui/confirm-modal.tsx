import { Button, Text } from "@mantine/core";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";

type ConfirmModalProps = {
  /** Null: nothing is asked, and the modal is closed. `action` is what its button does; `harmless`: nothing is lost by it. */
  question: { title: string; text: string; action: string; harmless?: boolean } | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something that people must not do by mistake. */
export function ConfirmModal({ question, onConfirm, onCancel }: ConfirmModalProps) {
  return (
    <Dialog opened={question !== null} onClose={onCancel} title={question?.title ?? ""}>
      <Text>{question?.text}</Text>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button {...(!question?.harmless && { color: "red" })} onClick={onConfirm}>
          {question?.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
