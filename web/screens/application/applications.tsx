import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { api } from "../../lib/rpc.ts";
import { useLive } from "../../lib/use-live.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ApplicationForm } from "./application-form.tsx";
import { ApplicationList } from "./application-list.tsx";
import classes from "./applications.module.css";
import { StillMissing } from "./still-missing.tsx";

export const applicationsQuery = api.applications.mine.queryOptions();

/** A student's applications: what was submitted, and below it the form for another one. */
export function Applications() {
  useLive("desk");
  const [submitted, setSubmitted] = useState(0);
  const [top, form] = [useRef<HTMLDivElement>(null), useRef<HTMLElement>(null)];
  const [listId, formId] = [useId(), useId()];
  return (
    <div ref={top}>
      {submitted > 0 && <Notice kind="success">Application submitted successfully!</Notice>}
      <section aria-labelledby={listId} className={classes.list}>
        <h2 id={listId} className={classes.heading}>
          Submitted applications
        </h2>
        <Submitted onStart={() => startAt(form.current)} />
      </section>
      <section ref={form} aria-labelledby={formId}>
        <h2 id={formId} className={classes.heading}>
          New application
        </h2>
        <StillMissing />
        <ApplicationForm
          // A new form for the next application; the list above shows the one just sent.
          key={submitted}
          onSubmitted={() => {
            setSubmitted(submitted + 1);
            top.current?.scrollIntoView({ block: "start" });
          }}
        />
      </section>
    </div>
  );
}

/** Goes to the form below the list: its first field is where the keyboard goes on. */
function startAt(form: HTMLElement | null) {
  form?.scrollIntoView({ block: "start" });
  form?.querySelector("input")?.focus({ preventScroll: true });
}

function Submitted({ onStart }: { onStart: () => void }) {
  const { data, error, refetch } = useQuery(applicationsQuery);
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={120} label="Loading applications" />;
  if (data.applications.length === 0)
    return <Text className={classes.empty}>Nothing submitted yet. Your first application starts below.</Text>;
  return (
    <>
      <Button variant="default" onClick={onStart}>
        Start another application
      </Button>
      <ApplicationList applications={data.applications} mover="student" />
    </>
  );
}
