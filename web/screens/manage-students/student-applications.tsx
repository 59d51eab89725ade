import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/rpc.ts";
import classes from "../../ui/dialog.module.css";
import { Dialog } from "../../ui/dialog.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ApplicationList } from "../application/application-list.tsx";

type StudentApplicationsProps = {
  /** Whose applications; null while the dialog is closed. */
  student: { id: string; name: string } | null;
  onClose: () => void;
};

/** A student's applications as agents and admins see them. */
export function StudentApplications({ student, onClose }: StudentApplicationsProps) {
  return (
    <Dialog
      wide
      opened={student !== null}
      onClose={onClose}
      title={student ? `Applications for ${student.name}` : ""}
    >
      {student && <List studentId={student.id} />}
    </Dialog>
  );
}

function List({ studentId }: { studentId: string }) {
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
