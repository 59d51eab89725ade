import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { bulkLimits } from "#domain/bulk-run.ts";
import { bulkRunPath } from "#protocol/addresses.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton, Waiting } from "../../ui/skeleton.tsx";
import classes from "./bulk-run.module.css";
import { stateOf, titleOf } from "./words.ts";

export const meta = () => pageMeta("Past changes");

/** The viewer's own acts on many students. */
export default function BulkRuns() {
  return (
    <Page
      title="Past changes"
      lead={`What you changed for many students at once, for ${bulkLimits.keptDays} days.`}
    >
      <Runs />
    </Page>
  );
}

function Runs() {
  const { data, error, refetch } = useQuery(api.bulkRuns.list.queryOptions());
  const { formatMoment } = useFormats();
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Waiting label="Loading past changes">
        <Skeleton h={64} />
        <Skeleton h={64} />
      </Waiting>
    );
  if (data.runs.length === 0)
    return (
      <EmptyState
        title="No changes yet"
        text="Choose several students in Manage Students to assign them or move their applications."
      >
        <LinkButton to="/manage-students">Manage Students</LinkButton>
      </EmptyState>
    );
  return (
    <ul className={classes.runs} aria-label="Past changes">
      {data.runs.map((run) => (
        <li key={run.id} className={classes.run}>
          <Link to={bulkRunPath(run.id)}>{titleOf(run)}</Link>
          <p className={classes.note}>
            <time dateTime={run.frozenAt.toISOString()}>{formatMoment(run.frozenAt)}</time> · {stateOf(run)}
          </p>
        </li>
      ))}
    </ul>
  );
}
