import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { AuditCheck } from "./audit-check.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";
import classes from "./filters.module.css";
import { TableSkeleton } from "./table-skeleton.tsx";
import { type AuditView, csvPath, everything, filterOf, useAuditView } from "./use-audit-view.ts";

export const meta = () => pageMeta("Audit log");

const words = { one: "entry", many: "entries", none: "No entries match" };

const entriesQuery = (view: AuditView) =>
  api.audit.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...filterOf(view), cursor }),
    ...paged,
  });

/** Who did what to whom, and when: all that the log records. */
export default function AuditLog() {
  const [view, onChange] = useAuditView();
  const query = useInfiniteQuery({ ...entriesQuery(view), placeholderData: keepPreviousData });
  const { data, error, refetch, isPlaceholderData } = query;
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <Page wide title="Audit log">
      <AdminNav />
      <AuditCheck />
      <AuditFilters view={view} onChange={onChange} />
      <div className={classes.bar}>
        <ListStatus
          shown={entries?.length !== 0}
          count={isPlaceholderData ? null : (entries?.length ?? null)}
          more={query.hasNextPage}
          words={words}
        />
        {entries?.length !== 0 && (
          <a href={csvPath(view)} download className={classes.download}>
            Download CSV
          </a>
        )}
      </div>
      {!entries && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <TableSkeleton label="Loading the audit log" />}
      {entries?.length === 0 && (
        <EmptyState
          title="No entries found"
          text="Nothing in the log matches these filters. Accounts are found by their whole email address."
        >
          <Button variant="default" onClick={() => onChange(everything)}>
            Clear filters
          </Button>
        </EmptyState>
      )}
      {entries && entries.length > 0 && <AuditTable entries={entries} busy={isPlaceholderData} />}
      <ShowMore query={query} />
    </Page>
  );
}
