import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { FailedJob } from "#contract/jobs.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { announce } from "../../lib/announce.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { queryClient } from "../../lib/query-client.ts";
import { api, rpc } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { AdminNav } from "./admin-nav.tsx";
import classes from "./admin-table.module.css";
import { TableSkeleton } from "./table-skeleton.tsx";

export const meta = () => pageMeta("Failed jobs");

const words = { one: "failed job", many: "failed jobs", none: "No failed jobs" };

/** What a queue does, for people; one without a word here goes by its own name. */
const queueNames: Readonly<Record<string, string>> = { mail: "Email", "tidy-up": "Nightly tidy-up" };

const failedQuery = api.jobs.failed.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
});

/** Work that the server has given up, and a way to have it tried again. */
export default function FailedJobs() {
  const query = useInfiniteQuery(failedQuery);
  const { data, error, refetch } = query;
  const jobs = data?.pages.flatMap((page) => page.jobs);
  const retry = useMutation({
    mutationFn: ({ id }: FailedJob) => rpc.jobs.retry({ id }),
    onSuccess: () => announce("The job will be tried again in a moment."),
    // After a failure too: somebody else may have been first.
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.jobs.key() }),
  });
  return (
    <Page wide title="Failed jobs">
      <AdminNav />
      <p className={classes.lead}>
        Emails and other background work that kept failing. They stay here for a day.
      </p>
      <ListStatus
        shown={jobs !== undefined && jobs.length > 0}
        count={jobs?.length ?? null}
        more={query.hasNextPage}
        words={words}
      />
      {!jobs && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!jobs && !error && <TableSkeleton label="Loading failed jobs" />}
      {jobs?.length === 0 && (
        <EmptyState
          title="No failed jobs"
          text="Every email and background job is done or still being tried."
        />
      )}
      {jobs && jobs.length > 0 && (
        <JobTable jobs={jobs} busy={retry.isPending ? retry.variables.id : null} onRetry={retry.mutate} />
      )}
      <ShowMore query={query} />
      <ErrorModal title="Error" error={retry.error && friendlyError(retry.error)} onClose={retry.reset} />
    </Page>
  );
}

type JobTableProps = {
  jobs: readonly FailedJob[];
  /** The id of the one that is being asked for. */
  busy: string | null;
  onRetry: (job: FailedJob) => void;
};

function JobTable({ jobs, busy, onRetry }: JobTableProps) {
  const { formatMoment } = useFormats();
  return (
    <section className={classes.scroller} aria-label="Failed jobs">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col">Failed</th>
            <th scope="col">Created</th>
            <th scope="col">Tried</th>
            <th scope="col">Error</th>
            <th scope="col">Id</th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id}>
              <th scope="row">{queueNames[job.queue] ?? job.queue}</th>
              <td className={classes.short} data-label="Failed">
                {formatMoment(job.failedAt)}
              </td>
              <td className={classes.short} data-label="Created">
                {formatMoment(job.createdAt)}
              </td>
              <td className={classes.short} data-label="Tried">
                {job.tries === 1 ? "once" : `${job.tries} times`}
              </td>
              <td data-label="Error">{job.error ?? "Unknown"}</td>
              <td className={classes.long} data-label="Id" data-wide>
                <span className={classes.small}>{job.id}</span>
              </td>
              <td data-action>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Try again: job ${job.id}`}
                  disabled={busy === job.id}
                  onClick={() => onRetry(job)}
                >
                  Try again
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
