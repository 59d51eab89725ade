import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import type { StudentRow } from "#contract/students.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogActions } from "../../ui/dialog-actions.tsx";

type ShortlistDialogProps = {
  /** Null: closed. */
  student: StudentRow | null;
  onClose: () => void;
};

/** The Shortlist modal of spec 2: it leads to the student's own shortlist. */
export function ShortlistDialog({ student, onClose }: ShortlistDialogProps) {
  return (
    <Dialog opened={student !== null} onClose={onClose} title="Shortlist">
      <Text>{`Courses that ${student?.name ?? ""} considers. You can add to them and remove from them.`}</Text>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button component={Link} to={`/shortlist?${new URLSearchParams({ student: student?.id ?? "" })}`}>
          Open shortlist
        </Button>
      </DialogActions>
    </Dialog>
  );
}
