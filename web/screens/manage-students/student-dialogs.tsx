import { useQuery } from "@tanstack/react-query";
import type { StudentRow } from "#contract/students.ts";
import { api } from "../../lib/rpc.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import classes from "../../ui/dialog.module.css";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ApplicationList } from "../application/application-list.tsx";

type StudentDialogProps = {
  /** Null: closed. */
  student: StudentRow | null;
  onClose: () => void;
};

/** A link to the student's own shortlist. */
export function ShortlistDialog({ student, onClose }: StudentDialogProps) {
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

/** A student's applications as agents and admins see them. */
export function ApplicationsDialog({ student, onClose }: StudentDialogProps) {
  return (
    <Dialog
      wide
      opened={student !== null}
      onClose={onClose}
      title={student ? `Applications for ${student.name}` : ""}
    >
      {student && <Applications studentId={student.id} />}
    </Dialog>
  );
}

function Applications({ studentId }: { studentId: string }) {
  const { data, error, refetch } = useQuery(
    api.applications.ofStudent.queryOptions({ input: { studentId } }),
  );
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} label="Loading applications" />;
  const { applications, mover } = data;
  if (applications.length === 0) return <p className={classes.words}>No applications found.</p>;
  return (
    <>
      {mover === null && (
        <p className={classes.aside}>Only the assigned agent or an admin can update these applications.</p>
      )}
      <ApplicationList applications={applications} mover={mover} />
    </>
  );
}
