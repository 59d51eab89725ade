import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { auditActions, auditPersonLimit, isAuditAction } from "#domain/audit.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, Input } from "../../ui/form/fields.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { namedEntries, useAuditColumns } from "./audit-columns.tsx";
import { type AuditView, csvPath, everything, filterOf, readView } from "./audit-view.ts";
import classes from "./filters.module.css";
import { ChoiceFilter, TextFilter } from "./filters.tsx";
import { PagedTable } from "./paged-table.tsx";

export const meta = () => pageMeta("Audit log");

const words = { one: "entry", many: "entries", none: "No entries match" };

const entriesQuery = (view: AuditView) =>
  api.audit.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ ...filterOf(view), cursor }),
    ...paged,
    select: ({ pages }) => pages.flatMap(namedEntries),
  });

/** The audit log: who did what to whom, and when. */
export default function AuditLog() {
  const [view, onChange] = useAddressView(readView, {});
  const query = useInfiniteQuery({ ...entriesQuery(view), placeholderData: keepPreviousData });
  const columns = useAuditColumns();
  return (
    <Page wide title="Audit log">
      <AdminNav />
      <LastCheck />
      <Filters view={view} onChange={onChange} />
      <div className={classes.bar}>
        <ListStatus
          shown={query.data?.length !== 0}
          count={query.isPlaceholderData ? null : (query.data?.length ?? null)}
          more={query.hasNextPage}
          words={words}
        />
        {query.data?.length !== 0 && (
          <a href={csvPath(view)} download className={classes.download}>
            Download CSV
          </a>
        )}
      </div>
      <PagedTable
        label="Audit log"
        loading="Loading the audit log"
        query={query}
        columns={columns}
        empty={
          <EmptyState
            title="No entries found"
            text="Nothing in the log matches these filters. Accounts are found by their whole email address."
          >
            <Button variant="default" onClick={() => onChange(everything)}>
              Clear filters
            </Button>
          </EmptyState>
        }
      />
    </Page>
  );
}

/** Says whether the log was intact at its last nightly check. */
function LastCheck() {
  const { data: check } = useQuery(api.audit.lastCheck.queryOptions());
  const { formatMoment } = useFormats();
  if (check === undefined) return <p className={classes.note}>&nbsp;</p>;
  if (check === null)
    return <p className={classes.note}>The log is checked every night, for the first time tonight.</p>;
  const when = <time dateTime={check.at.toISOString()}>{formatMoment(check.at)}</time>;
  if (check.problem === null)
    return <p className={classes.note}>Last checked {when}: no entry has been removed or changed.</p>;
  return (
    <Notice>
      Last checked {when}: entries have been removed or changed. {check.problem}. To find out more, run{" "}
      <code>npm run check</code> on the server.
    </Notice>
  );
}

const actions = Object.keys(auditActions)
  .filter(isAuditAction)
  .toSorted((a, b) => auditActions[a].localeCompare(auditActions[b], "en"));
const person = { placeholder: "Email or account id", maxLength: auditPersonLimit };

type FiltersProps = { view: AuditView; onChange: (changes: Partial<AuditView>) => void };

/** Filters by action, actor, person concerned and date. */
const Filters = ({ view, onChange }: FiltersProps) => (
  <search className={classes.filters}>
    <div className={classes.wide}>
      <ChoiceFilter
        label="Action"
        all="All actions"
        labels={auditActions}
        options={actions}
        value={view.action}
        onChange={(action) => onChange({ action })}
      />
    </div>
    <div className={classes.wide}>
      <TextFilter label="Who" value={view.who} onChange={(who) => onChange({ who })} {...person} />
    </div>
    <div className={classes.wide}>
      <TextFilter label="Whom" value={view.whom} onChange={(whom) => onChange({ whom })} {...person} />
    </div>
    <Day label="From" value={view.from} onChange={(from) => onChange({ from })} />
    <Day label="To" value={view.to} onChange={(to) => onChange({ to })} />
  </search>
);

type DayProps = { label: string; value: string; onChange: (day: string) => void };

const Day = ({ label, value, onChange }: DayProps) => (
  <Field label={label}>
    {(control) => (
      <Input
        type="date"
        // Without a limit the browser accepts years of more than four digits while one is being typed.
        max="2999-12-31"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        {...control}
      />
    )}
  </Field>
);
