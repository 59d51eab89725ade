import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useLive } from "../../lib/live.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./record.module.css";
import type { ShownRecord } from "./record-form.ts";
import { RecordLists } from "./record-lists.tsx";

const ownQuery = api.studyRecord.read.queryOptions({ input: {} });

/** The student's own record. */
export function OwnRecord() {
  useLive("dashboard");
  const headingId = useId();
  const { data, error, refetch } = useQuery(ownQuery);
  const section = useRef<HTMLElement>(null);
  const isSought = useLocation().hash === "#record";
  const isLoaded = data !== undefined;
  // The browser looks for the section before it has loaded.
  useEffect(() => {
    if (isSought && isLoaded) section.current?.scrollIntoView();
  }, [isSought, isLoaded]);
  return (
    <section ref={section} id="record" className={classes.record} aria-labelledby={headingId}>
      <h2 id={headingId} className={classes.title}>
        My record
      </h2>
      <p className={classes.lead}>
        Programmes compare their entry requirements with what you enter here. You can leave any of it out: it
        doesn't count as progress. Your own agent and administrators can see it.
      </p>
      {data ? (
        <RecordLists
          mayChange
          record={data}
          owner={undefined}
          onChanged={() => queryClient.invalidateQueries({ queryKey: api.studyRecord.key() })}
        />
      ) : error ? (
        <Retry error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={240} label="Loading your record" />
      )}
    </section>
  );
}

type StudentsRecordProps = { student: { id: string; name: string }; mayChange: boolean };

/**
 * A student's record for staff, only on request: it is fetched by a mutation and not by a query, because every access
 * is recorded in the audit log.
 */
export function StudentsRecord({ student, mayChange }: StudentsRecordProps) {
  // The record stays while it is refetched, so that a dialog in it isn't lost.
  const [record, setRecord] = useState<ShownRecord | null>(null);
  const look = useMutation({
    mutationFn: () => rpc.studyRecord.read({ studentId: student.id }),
    onSuccess: setRecord,
  });
  return (
    <section className={classes.record} aria-label="Record of studies">
      <Button
        size="compact-md"
        variant="default"
        disabled={look.isPending}
        aria-expanded={record !== null}
        onClick={() => (record ? setRecord(null) : look.mutate())}
      >
        {record ? "Hide record" : look.isPending ? "Loading..." : "Show record of studies"}
      </Button>
      {record && (
        <>
          {mayChange && (
            <p className={classes.lead}>
              What you enter is marked with your name. {student.name} is notified, and can change it.
            </p>
          )}
          <RecordLists
            record={record}
            owner={student}
            mayChange={mayChange}
            onChanged={() => look.mutate()}
          />
        </>
      )}
      <ErrorModal title="Error" error={look.error} onClose={look.reset} />
    </section>
  );
}
