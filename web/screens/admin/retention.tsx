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
import { AdminNav } from "./admin-nav.tsx";
import classes from "./data-table.module.css";
import { type Column, DataTable } from "./data-table.tsx";
import { PagedTable, TableSkeleton } from "./paged-table.tsx";
import own from "./retention.module.css";

export const meta = () => pageMeta("Retention");

type Rule = Awaited<ReturnType<typeof rpc.retention.rules>>["rules"][number];
type Entry = Awaited<ReturnType<typeof rpc.retention.list>>["entries"][number];

const names: Record<RetentionRule, { title: string; text: string; who: string }> = {
  deletionAsked: {
    title: "Deletion requests",
    text: "People who asked us to delete their account, once their bids and sales are settled. Logging in again cancels it, unless the account is disabled or revoked.",
    who: "Account",
  },
  withdrawnStudents: {
    title: "Unused student accounts",
    text: "Students with no open application who haven't logged in. We email them 14 days before.",
    who: "Student",
  },
  deniedAgents: {
    title: "Denied agents",
    text: "The email addresses and password hashes we keep of denied agents. Once removed, the address can sign up again.",
    who: "Address",
  },
  notifications: {
    title: "Notifications",
    text: "All notifications, read or unread.",
    who: "Recipient",
  },
  auditLog: {
    title: "Audit log",
    text: "The oldest entries. The rest can still be checked for gaps.",
    who: "Action",
  },
};

type View = { rule: RetentionRule };
const defaults = { rule: "deletionAsked" } as const;
const readView = (params: URLSearchParams): View => ({
  rule: retentionRules.find((rule) => rule === params.get("rule")) ?? defaults.rule,
});

const rulesQuery = api.retention.rules.queryOptions();

/** The data that the nightly job is about to remove, by rule. */
export default function Retention() {
  const [{ rule }, onChange] = useAddressView(readView, defaults);
  const { data, error, refetch } = useQuery(rulesQuery);
  const list = useRef<HTMLDivElement>(null);
  function show(choice: RetentionRule) {
    onChange({ rule: choice });
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
  if (rule === "deletionAsked") return "At least 7 days";
  return days === null ? "Forever" : `${days} days`;
};

type RuleTableProps = {
  rules: readonly Rule[];
  shown: RetentionRule;
  onShow: (rule: RetentionRule) => void;
};

function RuleTable({ rules, shown, onShow }: RuleTableProps) {
  const columns: Column<Rule>[] = [
    {
      title: "Rule",
      render: ({ rule }) => (
        <>
          {names[rule].title}
          <span className={own.explained}>{names[rule].text}</span>
        </>
      ),
    },
    { title: "Kept for", holds: "short", render: keptFor },
    { title: "Tonight", holds: "number", render: ({ due }) => due },
    { title: `In ${retentionOutlookDays} days`, holds: "number", render: ({ soon }) => soon },
    {
      title: "Action",
      acts: true,
      render: ({ rule }) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Show: ${names[rule].title}`}
          aria-pressed={rule === shown}
          onClick={() => onShow(rule)}
        >
          Show
        </Button>
      ),
    },
  ];
  return (
    <section className={classes.scroller} aria-label="Rules">
      <DataTable
        className={own.rules}
        aria-label="Rules"
        columns={columns}
        rows={rules.map((each) => ({ ...each, id: each.rule }))}
      />
    </section>
  );
}

const words = { one: "entry", many: "entries", none: "Nothing to remove" };

function Entries({ rule }: { rule: RetentionRule }) {
  const id = useId();
  const { formatMoment } = useFormats();
  const query = useInfiniteQuery(
    api.retention.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ rule, cursor }),
      ...paged,
      select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    }),
  );
  const { title, who } = names[rule];
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={own.heading}>
        {title}
      </h2>
      <ListStatus
        shown={query.data !== undefined && query.data.length > 0}
        count={query.data?.length ?? null}
        more={query.hasNextPage}
        words={words}
      />
      <PagedTable
        aria-labelledby={id}
        loading="Loading what will be removed"
        query={query}
        columns={[
          { title: who, holds: "long", render: (entry) => entry.who },
          ...(rule === "notifications"
            ? [{ title: "Number", holds: "number" as const, render: (entry: Entry) => entry.count }]
            : []),
          {
            title: rule === "notifications" ? "Removed from" : "Removed on",
            holds: "short",
            render: ({ at }) => formatMoment(at),
          },
          {
            title: "Id",
            holds: "long",
            wide: true,
            render: (entry) => <span className={classes.small}>{entry.id}</span>,
          },
        ]}
        empty={
          <EmptyState
            title="Nothing to remove"
            text={`This rule removes nothing in the next ${retentionOutlookDays} days.`}
          />
        }
      />
    </section>
  );
}
