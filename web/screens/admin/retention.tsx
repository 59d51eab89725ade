import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { type RetentionRule, retentionOutlookDays, retentionRules } from "#domain/retention.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api, type rpc } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { AdminNav } from "./admin-nav.tsx";
import classes from "./admin-table.module.css";
import own from "./retention.module.css";
import { TableSkeleton } from "./table-skeleton.tsx";

export const meta = () => pageMeta("Retention");

type Rule = Awaited<ReturnType<typeof rpc.retention.rules>>["rules"][number];

const names: Record<RetentionRule, { title: string; text: string; who: string }> = {
  deletionAsked: {
    title: "Deletions asked for",
    text: "People who asked us to delete their account. Logging in again cancels it.",
    who: "Account",
  },
  withdrawnStudents: {
    title: "Unused student accounts",
    text: "Students with no open application who haven't logged in. We email them 14 days before.",
    who: "Student",
  },
  deniedAgents: {
    title: "Denied agents",
    text: "What's left of them: email address and password hash. Once removed, the address can sign up again.",
    who: "Address",
  },
  notifications: {
    title: "Notifications",
    text: "What the bell shows, read or not.",
    who: "Recipient",
  },
  auditLog: {
    title: "Audit log",
    text: "Its oldest entries. The rest can still be checked for gaps.",
    who: "Action",
  },
};

type View = { rule: RetentionRule };
const unsaid = { rule: "deletionAsked" } as const;
const readView = (params: URLSearchParams): View => ({
  rule: retentionRules.find((rule) => rule === params.get("rule")) ?? unsaid.rule,
});

const rulesQuery = api.retention.rules.queryOptions();

/** What the nightly job will remove by itself, before it does. */
export default function Retention() {
  const [{ rule }, onChange] = useAddressView(readView, unsaid);
  const { data, error, refetch } = useQuery(rulesQuery);
  const list = useRef<HTMLDivElement>(null);
  function show(chosen: RetentionRule) {
    onChange({ rule: chosen });
    list.current?.scrollIntoView({ block: "nearest" });
  }
  return (
    <Page wide title="Retention">
      <AdminNav />
      <p className={classes.lead}>
        What will be removed in the next {retentionOutlookDays} days. How long things are kept is part of the
        server's configuration.
      </p>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <TableSkeleton label="Loading the rules" />}
      {data && (
        <>
          <RuleTable rules={data.rules} shown={rule} onShow={show} />
          <div ref={list}>
            <Entries key={rule} rule={rule} />
          </div>
        </>
      )}
    </Page>
  );
}

const keptFor = ({ rule, days }: Rule): string => {
  if (rule === "deletionAsked") return "7 days";
  return days === null ? "Forever" : `${days} days`;
};

type RuleTableProps = {
  rules: readonly Rule[];
  shown: RetentionRule;
  onShow: (rule: RetentionRule) => void;
};

const RuleTable = ({ rules, shown, onShow }: RuleTableProps) => (
  <section className={classes.scroller} aria-label="Rules">
    <table className={`${classes.table} ${own.rules}`} aria-label="Rules">
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Kept for</th>
          <th scope="col" className={classes.number}>
            Tonight
          </th>
          <th scope="col" className={classes.number}>
            In {retentionOutlookDays} days
          </th>
          <th scope="col">Action</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((each) => (
          <tr key={each.rule} className={each.rule === shown ? own.shown : ""}>
            <th scope="row">
              {names[each.rule].title}
              <span className={own.explained}>{names[each.rule].text}</span>
            </th>
            <td className={classes.short} data-label="Kept for">
              {keptFor(each)}
            </td>
            <td className={classes.number} data-label="Tonight">
              {each.due}
            </td>
            <td className={classes.number} data-label={`In ${retentionOutlookDays} days`}>
              {each.soon}
            </td>
            <td data-action>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Show: ${names[each.rule].title}`}
                aria-pressed={each.rule === shown}
                onClick={() => onShow(each.rule)}
              >
                Show
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const words = { one: "entry", many: "entries", none: "Nothing to remove" };

function Entries({ rule }: { rule: RetentionRule }) {
  const id = useId();
  const { formatMoment } = useFormats();
  const query = useInfiniteQuery(
    api.retention.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ rule, cursor }),
      ...paged,
    }),
  );
  const { data, error, refetch } = query;
  const entries = data?.pages.flatMap((page) => page.entries);
  const { title, who } = names[rule];
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={own.heading}>
        {title}
      </h2>
      <ListStatus
        shown={entries !== undefined && entries.length > 0}
        count={entries?.length ?? null}
        more={query.hasNextPage}
        words={words}
      />
      {!entries && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!entries && !error && <TableSkeleton label="Loading what will be removed" />}
      {entries?.length === 0 && (
        <EmptyState
          title="Nothing to remove"
          text={`This rule removes nothing in the next ${retentionOutlookDays} days.`}
        />
      )}
      {entries && entries.length > 0 && (
        <div className={classes.scroller}>
          <table className={classes.table} aria-labelledby={id}>
            <thead>
              <tr>
                <th scope="col">{who}</th>
                <th scope="col">Removed on</th>
                <th scope="col">Id</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row" className={classes.long}>
                    {entry.who}
                  </th>
                  <td className={classes.short} data-label="Removed on">
                    {formatMoment(entry.at)}
                  </td>
                  <td className={classes.long} data-label="Id" data-wide>
                    <span className={classes.small}>{entry.id}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={query} />
    </section>
  );
}
