import { Text } from "@mantine/core";
import type { StudentRow } from "#contract/students.ts";
import { Button } from "../../ui/button.tsx";
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
      <Text>{`Courses ${student?.name ?? ""} is considering. You can add or remove items.`}</Text>
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
