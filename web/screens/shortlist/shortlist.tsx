import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";
import { useViewer } from "../../lib/viewer.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ShortlistForm } from "./shortlist-form.tsx";
import { ShortlistTable } from "./shortlist-table.tsx";

export const meta = () => pageMeta("Shortlist");

const listQuery = (studentId: string | undefined) =>
  api.shortlist.list.queryOptions({ input: studentId === undefined ? {} : { studentId } });

/** The student's own shortlist; for agents and admins the one of `?student={id}`. */
export default function Shortlist() {
  const viewer = useViewer();
  const [search] = useSearchParams();
  if (!viewer) return null;
  if (viewer.role === "student") return <ListOf />;
  const studentId = search.get("student");
  return studentId ? <ListOf studentId={studentId} /> : <NobodyChosen />;
}

function ListOf({ studentId }: { studentId?: string }) {
  useLive(studentId === undefined ? "dashboard" : "students");
  const input = studentId === undefined ? {} : { studentId };
  const { data, error, refetch } = useQuery(listQuery(studentId));
  const name = studentId !== undefined && data?.student.name;
  return (
    <Page
      title={name ? `Shortlist of ${name}` : "Shortlist"}
      lead={studentId === undefined && "Universities and courses worth a closer look."}
    >
      {!data && error ? (
        <Retry error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <ShortlistForm input={input} />
          {data ? <ShortlistTable items={data.items} /> : <Skeleton h={160} label="Loading the shortlist" />}
        </>
      )}
    </Page>
  );
}

function NobodyChosen() {
  return (
    <Page
      title="Shortlist"
      lead="Every student has their own shortlist. Choose a student in Manage Students."
    >
      <LinkButton primary to="/manage-students">
        Manage Students
      </LinkButton>
    </Page>
  );
}
