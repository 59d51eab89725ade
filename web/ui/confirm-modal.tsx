import { Button, Text } from "@mantine/core";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";

type ConfirmModalProps = {
  /** Null: nothing is asked, and the modal is closed. `action` is what its button does, in a word or two. */
  question: { title: string; text: string; action: string } | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something that can't be taken back. */
export function ConfirmModal({ question, onConfirm, onCancel }: ConfirmModalProps) {
  return (
    <Dialog opened={question !== null} onClose={onCancel} title={question?.title ?? ""}>
      <Text>{question?.text}</Text>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button color="red" onClick={onConfirm}>
          {question?.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
