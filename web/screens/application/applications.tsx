import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { documentLabel } from "#domain/document.ts";
import { profileLabel } from "#domain/profile.ts";
import { countsAsUploaded } from "#domain/progress.ts";
import { useLive } from "../../lib/live.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { programmeQuery } from "../programmes/programme-query.ts";
import { ApplicationForm } from "./application-form.tsx";
import { ApplicationList } from "./application-list.tsx";
import classes from "./applications.module.css";
import { isBegun, originOf } from "./origin.ts";
import { Preflight } from "./preflight.tsx";

/** The place where the list opens: its top, the form for a new application, or one of the applications. */
export type ApplicationsAt = "list" | "form" | { applicationId: string };

export const applicationsQuery = api.applications.mine.queryOptions();

/** A student's applications, with the form for another one below them on request. */
export function Applications({ at = "list" }: { at?: ApplicationsAt }) {
  useLive("dashboard");
  const { data, error, refetch } = useQuery(applicationsQuery);
  const [submitted, setSubmitted] = useState(0);
  // An application that was begun earlier is shown again, but only a requested form takes the focus.
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
          // The next application gets a new form; the list above shows the one just sent.
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

/** `isSought` moves the focus to the form's first field. */
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
      <FromProgramme />
      <StillMissing />
      <ApplicationForm onSubmitted={onSubmitted} />
    </section>
  );
}

/** Names the programme that the form was filled from and its requirements. Hidden for a form that was begun by hand. */
function FromProgramme() {
  const [origin] = useState(originOf);
  const { data } = useQuery({ ...programmeQuery(origin?.slug ?? ""), enabled: origin !== null });
  return origin && data ? <Preflight programme={data} origin={origin} /> : null;
}

const missingQuery = api.students.dashboard.queryOptions();

/**
 * Lists what universities will ask for and the student hasn't provided, each with a link to it. The list only warns: it
 * blocks nothing, and stays hidden while the answer is missing.
 */
function StillMissing() {
  const { data } = useQuery(missingQuery);
  if (!data) return null;
  const fields = data.missingFields.map((field) => profileLabel[field]);
  const documents = data.documents
    .filter(({ state }) => !countsAsUploaded(state))
    .map(({ kind }) => documentLabel[kind]);
  if (fields.length === 0 && documents.length === 0) return null;
  return (
    <section className={classes.missing} aria-label="Still missing">
      <p className={classes.missingLead}>You can apply now. Universities will also ask for these:</p>
      <Missing title="Profile" labels={fields} to="/student-profile" />
      <Missing title="Documents" labels={documents} to="/student-documents" />
    </section>
  );
}

function Missing({ title, labels, to }: { title: string; labels: readonly string[]; to: string }) {
  if (labels.length === 0) return null;
  return (
    <>
      <h3 className={classes.group}>{title}</h3>
      <ul className={classes.labels}>
        {labels.map((label) => (
          <li key={label}>
            <TextLink to={to}>{label}</TextLink>
          </li>
        ))}
      </ul>
    </>
  );
}
