import { useQuery } from "@tanstack/react-query";
import type { StudentRow } from "#contract/students.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { IdentityDetails } from "./identity-details.tsx";
import { isResponsible } from "./responsible.ts";
import { StudentDocuments } from "./student-documents.tsx";
import classes from "./student-expanded.module.css";
import { DocumentStates, StudentFacts, StudentProgress } from "./student-facts.tsx";

const detailsQuery = (studentId: string) => api.students.details.queryOptions({ input: { studentId } });

/** What stands under an open row. */
export function StudentExpanded({ student }: { student: StudentRow }) {
  const viewer = useViewer();
  const { data, error, refetch } = useQuery(detailsQuery(student.id));
  if (!data && error)
    return (
      <div className={classes.panel}>
        <Retry error={error} onRetry={() => void refetch()} />
      </div>
    );
  const responsible = viewer !== null && isResponsible(viewer, student);
  return (
    <div className={classes.panel}>
      {data ? (
        <>
          <StudentFacts details={data} />
          <StudentProgress progress={data.progress} />
        </>
      ) : (
        <Skeleton h={120} label={`Loading ${student.name}`} />
      )}
      {responsible && <StudentDocuments studentId={student.id} />}
      {!responsible && data && <DocumentStates documents={data.documents} />}
      {responsible && <IdentityDetails studentId={student.id} />}
    </div>
  );
}
