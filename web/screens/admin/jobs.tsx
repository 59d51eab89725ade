import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { FailedJob } from "#contract/jobs.ts";
import { jobName } from "#domain/job-names.ts";
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
import { AdminNav } from "./admin-nav.tsx";
import classes from "./data-table.module.css";
import type { Column } from "./data-table.tsx";
import { PagedTable } from "./paged-table.tsx";

export const meta = () => pageMeta("Failed jobs");

const words = { one: "failed job", many: "failed jobs", none: "No failed jobs" };

const failedQuery = api.jobs.failed.infiniteOptions({
  input: (cursor: string | undefined) => ({ cursor }),
  ...paged,
  select: ({ pages }) => pages.flatMap(({ jobs }) => jobs),
});

/** The jobs that the server has given up on, each with a button to retry it. */
export default function FailedJobs() {
  const query = useInfiniteQuery(failedQuery);
  const retry = useMutation({
    mutationFn: ({ id }: FailedJob) => rpc.jobs.retry({ id }),
    onSuccess: () => announce("The job will be tried again in a moment."),
    // Refetches after a failure too: another admin may have been first.
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.jobs.key() }),
  });
  const columns = useColumns(retry.isPending ? retry.variables.id : null, retry.mutate);
  return (
    <Page wide title="Failed jobs">
      <AdminNav />
      <p className={classes.lead}>
        Emails and other background work that kept failing. They stay here for a day.
      </p>
      <ListStatus
        shown={query.data !== undefined && query.data.length > 0}
        count={query.data?.length ?? null}
        more={query.hasNextPage}
        words={words}
      />
      <PagedTable
        label="Failed jobs"
        loading="Loading failed jobs"
        query={query}
        columns={columns}
        empty={
          <EmptyState
            title="No failed jobs"
            text="Every email and background job is done or still being tried."
          />
        }
      />
      <ErrorModal title="Error" error={retry.error} onClose={retry.reset} />
    </Page>
  );
}

/** `busy` is the id of the job that is being retried. */
function useColumns(busy: string | null, onRetry: (job: FailedJob) => void): Column<FailedJob>[] {
  const { formatMoment } = useFormats();
  return [
    { title: "Job", render: jobName },
    { title: "Failed", holds: "short", render: ({ failedAt }) => formatMoment(failedAt) },
    { title: "Created", holds: "short", render: ({ createdAt }) => formatMoment(createdAt) },
    { title: "Tried", holds: "short", render: ({ tries }) => (tries === 1 ? "once" : `${tries} times`) },
    { title: "Error", render: ({ error }) => error ?? "Unknown" },
    {
      title: "Id",
      holds: "long",
      wide: true,
      render: ({ id }) => <span className={classes.small}>{id}</span>,
    },
    {
      title: "Action",
      acts: true,
      render: (job) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Try again: job ${job.id}`}
          disabled={busy === job.id}
          onClick={() => onRetry(job)}
        >
          Try again
        </Button>
      ),
    },
  ];
}
