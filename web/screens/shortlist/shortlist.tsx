import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { shortlistLimits, shortlistProblem } from "#domain/shortlist.ts";
import { announce } from "../../lib/announce.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { LinkButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/form/fields.tsx";
import { Form, SubmitButton } from "../../ui/form/form.tsx";
import { UniversityField } from "../../ui/form/university-field.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./shortlist.module.css";
import { ShortlistTable } from "./shortlist-table.tsx";

export const meta = () => pageMeta("Shortlist");

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
  const { data, error, refetch } = useQuery(api.shortlist.list.queryOptions({ input: { studentId } }));
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
          <ShortlistForm studentId={studentId} />
          {data ? (
            <ShortlistTable items={data.items} isOwn={studentId === undefined} />
          ) : (
            <Skeleton h={160} label="Loading the shortlist" />
          )}
        </>
      )}
    </Page>
  );
}

/** Adds a course to a shortlist: the student's own, or the one of `studentId`. */
function ShortlistForm({ studentId }: { studentId: string | undefined }) {
  const draftName = `shortlist ${studentId ?? ""}`;
  const [addedCount, setAddedCount] = useState(0);
  return (
    <div className={classes.form}>
      <Form
        // A new key empties the form for the next course.
        key={`${draftName} ${addedCount}`}
        errorTitle="Shortlist Error"
        draftName={draftName}
        fields={["university", "course", "url"]}
        check={shortlistProblem}
        send={async (values) => {
          await rpc.shortlist.add({ studentId, ...values });
          await queryClient.invalidateQueries({ queryKey: api.shortlist.key() });
          announce("Item added successfully!");
        }}
        onDone={() => setAddedCount(addedCount + 1)}
      >
        <div className={classes.row}>
          <UniversityField name="university" label="University" maxLength={shortlistLimits.university} />
          <TextField name="course" label="Course" maxLength={shortlistLimits.course} />
          <TextField
            name="url"
            label="URL"
            type="url"
            placeholder="https://"
            maxLength={shortlistLimits.url}
          />
          <div className={classes.submit}>
            <SubmitButton busyText="Adding...">Add Item</SubmitButton>
          </div>
        </div>
      </Form>
    </div>
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
