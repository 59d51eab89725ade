import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { api } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ApplicationForm, isBegun } from "./application-form.tsx";
import { ApplicationList } from "./application-list.tsx";
import classes from "./applications.module.css";
import type { ApplicationsAt } from "./sought.ts";
import { StillMissing } from "./still-missing.tsx";

export const applicationsQuery = api.applications.mine.queryOptions();

/** A student's applications: what was submitted, and below it the form for another one, once it is asked for. */
export function Applications({ at = "list" }: { at?: ApplicationsAt }) {
  useLive("dashboard");
  const { data, error, refetch } = useQuery(applicationsQuery);
  const [submitted, setSubmitted] = useState(0);
  // What was begun before is shown again, but asked for is something else.
  const [form, setForm] = useState<"closed" | "begun" | "sought">(
    at === "form" ? "sought" : isBegun() ? "begun" : "closed",
  );
  const top = useRef<HTMLDivElement>(null);
  const listId = useId();
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} label="Loading applications" />;
  const none = data.applications.length === 0;
  return (
    <div ref={top}>
      {submitted > 0 && <Notice kind="success">Application submitted successfully!</Notice>}
      <section aria-labelledby={listId} className={classes.list}>
        <h2 id={listId} className={classes.heading}>
          Submitted applications
        </h2>
        {none ? (
          <p className={classes.empty}>Nothing submitted yet. Start your first application below.</p>
        ) : (
          <>
            {form === "closed" && (
              <Button variant="default" onClick={() => setForm("sought")}>
                Start another application
              </Button>
            )}
            <ApplicationList
              applications={data.applications}
              mover="student"
              {...(typeof at === "object" && { sought: at.applicationId })}
            />
          </>
        )}
      </section>
      {(none || form !== "closed") && (
        <NewApplication
          // A new form for the next application; the list above shows the one just sent.
          key={submitted}
          isSought={form === "sought"}
          onSubmitted={() => {
            setSubmitted(submitted + 1);
            setForm("closed");
            top.current?.scrollIntoView({ block: "start" });
          }}
        />
      )}
    </div>
  );
}

type NewApplicationProps = { isSought: boolean; onSubmitted: () => void };

/** `isSought`: the keyboard goes on in its first field. */
function NewApplication({ isSought, onSubmitted }: NewApplicationProps) {
  const form = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isSought) return;
    form.current?.scrollIntoView({ block: "start" });
    form.current?.querySelector("input")?.focus({ preventScroll: true });
  }, [isSought]);
  return (
    <section ref={form} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        New application
      </h2>
      <StillMissing />
      <ApplicationForm onSubmitted={onSubmitted} />
    </section>
  );
}
