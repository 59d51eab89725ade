import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { BulkItem, BulkRun } from "#contract/bulk-runs.ts";
import { applicationName } from "#domain/application-notification.ts";
import { type BulkOutcome, bulkOutcomes, bulkReasons, isSending } from "#domain/bulk-run.ts";
import { bulkRunFile, bulkRunPath } from "#protocol/addresses.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { Field, Select } from "../../ui/form/fields.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import type { Column } from "../admin/data-table.tsx";
import { PagedTable } from "../admin/paged-table.tsx";
import { useOrigin } from "../manage-students/preview.ts";
import classes from "./bulk-run.module.css";
import { doneWord, dueOf, stateOf, titleOf } from "./words.ts";

export const meta = () => pageMeta("Change many students");

/** Milliseconds between two queries for a run's progress. */
const pollInterval = 1_000;

const isRunning = (run: BulkRun | undefined) => run?.startedAt != null && run.finishedAt === null;

/** One act on many students: its preview, its progress, and the outcome of each row. */
export default function BulkRunPage() {
  const { runId = "" } = useParams();
  const {
    data: run,
    error,
    refetch,
  } = useQuery({
    ...api.bulkRuns.get.queryOptions({ input: { id: runId } }),
    refetchInterval: ({ state }) => (isRunning(state.data) ? pollInterval : false),
  });
  return (
    <Page wide title={run ? titleOf(run) : "Change many students"}>
      {!run && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!run && !error && (
        <Waiting label="Loading the change">
          <Skeleton h={96} />
          <Skeleton h={240} />
        </Waiting>
      )}
      {run && <Run run={run} />}
    </Page>
  );
}

function Run({ run }: { run: BulkRun }) {
  const { formatMoment } = useFormats();
  const total = run.waiting + run.done + run.skipped + run.failed;
  return (
    <>
      <section className={classes.summary} aria-label="Summary">
        <p className={classes.state} aria-live="polite">
          {stateOf(run)}
        </p>
        {isRunning(run) && (
          <progress
            className={classes.progress}
            aria-label="Progress"
            max={total}
            value={total - run.waiting}
          />
        )}
        {run.reasons.length > 0 && (
          <ul className={classes.reasons} aria-label="Left out">
            {run.reasons.map(({ reason, rows }) => (
              <li key={reason}>
                <strong>{rows}</strong> {bulkReasons[reason]}
              </li>
            ))}
          </ul>
        )}
        {run.text && <p className={classes.text}>{run.text}</p>}
        {run.note && (
          <p className={classes.text}>
            {run.act === "assign" && "Note for the next agent: "}
            {run.note}
          </p>
        )}
        {run.due && <p className={classes.note}>{dueOf(run.due)}</p>}
        {run.move?.note && <p className={classes.note}>Note: {run.move.note}</p>}
        {run.finishedAt && (
          <p className={classes.note}>
            Finished <time dateTime={run.finishedAt.toISOString()}>{formatMoment(run.finishedAt)}</time>
          </p>
        )}
        <Buttons run={run} />
      </section>
      <Rows key={run.finishedAt?.getTime() ?? 0} run={run} />
    </>
  );
}

const refresh = () => queryClient.invalidateQueries({ queryKey: api.bulkRuns.key() });

/** Buttons that start a run, retry its failed rows, take it back or save its outcome. */
function Buttons({ run }: { run: BulkRun }) {
  const navigate = useNavigate();
  const { formatMoment } = useFormats();
  const { search, chosen } = useOrigin();
  const list = `${run.act === "invite" ? "/invitations" : "/manage-students"}${search}`;
  const verb = isSending(run.act) ? "send" : "change";
  const start = useMutation({
    mutationFn: () => rpc.bulkRuns.start({ id: run.id }),
    onSuccess: () => announce(verb === "send" ? "Sending has begun." : "The change has begun."),
    onSettled: refresh,
  });
  const retry = useMutation({
    mutationFn: () => rpc.bulkRuns.retry({ id: run.id }),
    onSuccess: () => announce("The failed rows are tried again."),
    onSettled: refresh,
  });
  const takeBack = useMutation({
    mutationFn: () => rpc.bulkRuns.takeBack({ id: run.id }),
    onSuccess: ({ id }) => navigate(bulkRunPath(id)),
    onSettled: refresh,
  });
  return (
    <div className={classes.buttons}>
      {run.startedAt === null && (
        <>
          <LinkButton to={list} state={{ chosen }} size="md">
            Cancel
          </LinkButton>
          <Button size="md" disabled={run.waiting === 0 || start.isPending} onClick={() => start.mutate()}>
            {start.isPending
              ? "Starting..."
              : run.waiting === 0
                ? `Nothing to ${verb}`
                : `${verb === "send" ? "Send" : "Change"} ${run.waiting}`}
          </Button>
        </>
      )}
      {run.finishedAt !== null && run.failed > 0 && (
        <Button size="md" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Try the failed rows again
        </Button>
      )}
      {run.takeBackUntil && (
        <Button variant="default" size="md" disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
          Take back until {formatMoment(run.takeBackUntil)}
        </Button>
      )}
      {run.startedAt !== null && (
        <>
          <a className={classes.file} href={bulkRunFile(run.id)} download>
            Download CSV
          </a>
          <Link className={classes.file} to={list}>
            {run.act === "invite" ? "Invitations" : "Manage Students"}
          </Link>
        </>
      )}
      <ErrorModal
        title="Error"
        error={start.error ?? retry.error ?? takeBack.error}
        onClose={() => {
          start.reset();
          retry.reset();
          takeBack.reset();
        }}
      />
    </div>
  );
}

const outcomeLabels = (run: BulkRun): Record<BulkOutcome, string> => ({
  done: doneWord(run) === "sent" ? "Sent" : "Changed",
  skipped: "Left out",
  failed: "Failed",
});

const firstRow: number | undefined = undefined;

type Row = BulkItem & { id: number };

function Rows({ run }: { run: BulkRun }) {
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const query = useInfiniteQuery({
    ...api.bulkRuns.items.infiniteOptions({
      input: (after: number | undefined) => ({ id: run.id, after, ...(outcome && { outcome }) }),
      initialPageParam: firstRow,
      getNextPageParam: ({ next }) => next ?? undefined,
      select: ({ pages }) =>
        pages.flatMap(({ items }) => items.map((item): Row => ({ ...item, id: item.position }))),
    }),
    // The rows are mounted again when the run is finished.
    refetchOnMount: "always",
  });
  const labels = outcomeLabels(run);
  const columns: Column<Row>[] = [
    {
      title: run.act === "import" || run.act === "invite" ? "Row" : "No.",
      holds: "short",
      render: ({ position }) => position,
    },
    {
      title: "Student",
      holds: "long",
      render: ({ student, invited }) =>
        student?.name || student?.email || (invited && `${invited.name} ${invited.email}`.trim()),
    },
    ...(run.move
      ? [
          {
            title: "Application",
            holds: "long" as const,
            render: ({ application }: Row) => application && applicationName(application),
          },
        ]
      : []),
    {
      title: "Outcome",
      render: (row) => (row.outcome === null ? `Will be ${doneWord(run)}` : labels[row.outcome]),
    },
    { title: "Reason", render: ({ reason }) => reason && bulkReasons[reason] },
  ];
  return (
    <>
      <div className={classes.filter}>
        <Field label="Rows">
          {(control) => (
            <Select
              value={outcome ?? ""}
              data={[
                { value: "", label: "All rows" },
                ...bulkOutcomes.map((each) => ({ value: each, label: labels[each] })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                setOutcome(bulkOutcomes.find((each) => each === value) ?? null)
              }
              {...control}
            />
          )}
        </Field>
      </div>
      <PagedTable
        label="Rows"
        loading="Loading the rows"
        query={query}
        columns={columns}
        empty={<EmptyState title="No such rows" text="No row of this change ended like that." />}
      />
    </>
  );
}
