import type { FriendlyError } from "#domain/friendly-error.ts";
import { Button } from "./button.tsx";
import classes from "./dialog.module.css";
import { Dialog } from "./dialog.tsx";
import { DialogActions } from "./dialog-actions.tsx";

type ErrorModalProps = {
  title: string;
  /** Null: nothing is wrong, and the modal is closed. */
  error: FriendlyError | null;
  onClose: () => void;
};

/** What went wrong, in words, with its code where the catalogue has one (spec 2 and 8). */
export function ErrorModal({ title, error, onClose }: ErrorModalProps) {
  return (
    <Dialog opened={error !== null} onClose={onClose} title={title}>
      <p className={classes.words}>{error?.message}</p>
      {error?.code && <p className={classes.aside}>Error Code: {error.code}</p>}
      <DialogActions>
        <Button onClick={onClose}>OK</Button>
      </DialogActions>
    </Dialog>
  );
}
