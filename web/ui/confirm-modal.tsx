import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { Dialog, DialogActions } from "./dialog.tsx";

type ConfirmModalProps = {
  /** Null: the modal is closed. `action` is the button's label; `harmless` means that nothing is lost by it. */
  question: { title: string; text: string; action: string; harmless?: boolean } | null;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks for a confirmation of something that people must not do by mistake. */
export function ConfirmModal({ question, onConfirm, onCancel }: ConfirmModalProps) {
  return (
    <Dialog opened={question !== null} onClose={onCancel} title={question?.title ?? ""}>
      <p className={classes.words}>{question?.text}</p>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button variant={question?.harmless ? "filled" : "danger"} onClick={onConfirm}>
          {question?.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
