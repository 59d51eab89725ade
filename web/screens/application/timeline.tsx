import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Application, TimelineStep } from "#contract/applications.ts";
import { stateLabels } from "#domain/application.ts";
import { formatMoment } from "../../lib/format-date.ts";
import { api } from "../../lib/rpc.ts";
import { useViewer } from "../../lib/viewer.ts";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import classes from "./timeline.module.css";

/** Every step that an application took, asked for when it is opened. */
export function Timeline({ application }: { application: Application }) {
  const [opened, setOpened] = useState(false);
  return (
    <details onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary className={classes.toggle}>Timeline</summary>
      {opened && <Steps applicationId={application.id} />}
    </details>
  );
}

const firstPage: number | undefined = undefined;
const stepsOf = (applicationId: string) =>
  api.applications.timeline.infiniteOptions({
    input: (before: number | undefined) => ({ applicationId, before }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => next ?? undefined,
  });

function Steps({ applicationId }: { applicationId: string }) {
  const query = useInfiniteQuery(stepsOf(applicationId));
  const { data, error, refetch } = query;
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={72} mt={10} label="Loading the timeline" />;
  return (
    <>
      <ol className={classes.steps} reversed>
        {data.pages.flatMap(({ steps }) => steps.map((step) => <Step key={step.id} step={step} />))}
      </ol>
      <ShowMore query={query} label="Show earlier steps" spaced={false} />
    </>
  );
}

function Step({ step: { at, to, note, by } }: { step: TimelineStep }) {
  const viewer = useViewer();
  return (
    <li className={classes.step}>
      <span className={classes.to}>{stateLabels[to]}</span>
      <div className={classes.when}>
        <time dateTime={at.toISOString()}>{formatMoment(at)}</time> · {nameOf(by, viewer?.role === "student")}
      </div>
      {note && <p className={classes.note}>{note}</p>}
    </li>
  );
}

/** A student reads of their own steps as theirs. */
function nameOf(by: TimelineStep["by"], toStudent: boolean): string {
  if (by === null) return "A former member";
  if (by.role === "admin") return "An administrator";
  return by.role === "student" && toStudent ? "You" : by.name;
}
