import type { StudentRow } from "#contract/students.ts";
import { Button } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";
import { LinkButton } from "../../ui/link-button.tsx";

type ShortlistDialogProps = {
  /** Null: closed. */
  student: StudentRow | null;
  onClose: () => void;
};

/** The Shortlist modal: it leads to the student's own shortlist. */
export function ShortlistDialog({ student, onClose }: ShortlistDialogProps) {
  return (
    <Dialog opened={student !== null} onClose={onClose} title="Shortlist">
      <p
        className={classes.words}
      >{`Courses ${student?.name ?? ""} is considering. You can add or remove items.`}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <LinkButton
          primary
          to={`/shortlist?${new URLSearchParams({ student: student?.id ?? "" })}`}
          size="sm"
        >
          Open shortlist
        </LinkButton>
      </DialogActions>
    </Dialog>
  );
}
