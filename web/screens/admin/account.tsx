import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useId, useState } from "react";
import { useParams } from "react-router";
import type { AccountRow, AccountSummary } from "#contract/accounts.ts";
import type { Application } from "#contract/applications.ts";
import { roleLabels } from "#domain/account-list.ts";
import { intakeName } from "#domain/application.ts";
import { countryName } from "#domain/country.ts";
import { friendlyError } from "#domain/friendly-error.ts";
import { numberOfStudents } from "#domain/student-list.ts";
import { accountPath, applicationPath, studentsPath } from "#protocol/addresses.ts";
import { formatDate, useFormats } from "../../lib/format-date.ts";
import { useLive } from "../../lib/live.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { api } from "../../lib/rpc.ts";
import { useTitle } from "../../lib/use-title.ts";
import { LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { late } from "../../ui/late.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { DecisionDialog, useDecide } from "../admin-dashboard/decision-dialog.tsx";
import { ApplicationStateBadge } from "../application/application-list.tsx";
import { StudentExpanded } from "../manage-students/student-expanded.tsx";
import classes from "./account.module.css";
import { AccountActions, AccountStatus } from "./account-actions.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { namedEntries, useAuditColumns } from "./audit-columns.tsx";
import table from "./data-table.module.css";
import { type Column, DataTable } from "./data-table.tsx";
import { TableSkeleton } from "./paged-table.tsx";

/** Lazy-loaded, since few accounts are edited. */
const EditAccount = late(() => import("./edit-account.tsx"));

/** Number of log entries shown; the log's own page has all of them. */
const entriesShown = 10;

export const meta = () => pageMeta("Account");

/** A person as admins see them: account, applications, documents and log in one place. */
export default function Account() {
  const { userId = "" } = useParams();
  useLive("students");
  const { data, error, refetch } = useQuery(api.accounts.summary.queryOptions({ input: { userId } }));
  const name = data ? data.name || data.email : "Account";
  useTitle(name);
  const isMissing = error !== null && friendlyError(error).code === "not-found";
  return (
    <Page wide title={name}>
      <AdminNav />
      {isMissing && (
        <EmptyState title="Account not found" text="The link may be wrong, or the account has been erased.">
          <LinkButton to={auditPath({ whom: userId })}>Look in the audit log</LinkButton>
        </EmptyState>
      )}
      {!isMissing && !data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} label="Loading the account" />}
      {!isMissing && data && <Loaded account={data} />}
    </Page>
  );
}

const auditPath = (filter: { who?: string; whom?: string }) =>
  `/admin/audit?${new URLSearchParams(filter).toString()}`;

function Loaded({ account }: { account: AccountSummary }) {
  const deciding = useDecide();
  const [edited, setEdited] = useState<AccountRow | null>(null);
  const { id, role, name, email } = account;
  return (
    <div className={classes.sections}>
      <Section title="Account">
        <Facts account={account} />
        <div className={classes.actions}>
          <AccountActions account={account} deciding={deciding} onEdit={setEdited} />
        </div>
      </Section>
      {role === "student" && (
        <>
          <Section title="Applications">
            <Applications studentId={id} />
          </Section>
          <Section title="Documents and notes">
            <StudentExpanded student={{ id, name: name || email, agent: account.agent }} />
          </Section>
        </>
      )}
      <Log title="Done to this account" filter={{ subject: id }} all={auditPath({ whom: id })} />
      <Log title="Done by this account" filter={{ actor: id }} all={auditPath({ who: id })} />
      <DecisionDialog {...deciding} />
      <Suspense>
        <EditAccount account={edited} onClose={() => setEdited(null)} />
      </Suspense>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Facts({ account }: { account: AccountSummary }) {
  const { formatDate, formatMoment } = useFormats();
  const { id, role, email, emailVerified, phone, country, agency, agent, since, lastLogin, students } =
    account;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["Role", roleLabels[role]],
    ["Status", <AccountStatus key="status" {...account} />],
    ["Email", emailVerified ? email : `${email} (not verified)`],
    ["Phone", phone],
    ["Country", countryName(country)],
    ["Agency", agency],
    ["Since", formatDate(since)],
    ["Last login", lastLogin ? formatMoment(lastLogin) : "Unknown"],
    [
      "Assigned agent",
      role === "student" &&
        (agent ? (
          <TextLink key="agent" to={accountPath(agent.id)}>
            {agent.name}
          </TextLink>
        ) : (
          "No agent assigned yet."
        )),
    ],
    [
      "Students",
      role === "agent" && (
        <TextLink key="students" to={studentsPath({ agentId: id })}>
          {numberOfStudents(students)}
        </TextLink>
      ),
    ],
  ];
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, fact]) => Boolean(fact))
        .map(([label, fact]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  );
}

const applicationColumns: Column<Application>[] = [
  {
    title: "Programme",
    holds: "long",
    render: ({ id, program }) => <TextLink to={applicationPath(id)}>{program}</TextLink>,
  },
  { title: "University", holds: "long", render: ({ university }) => university },
  {
    title: "Intake",
    render: ({ startDate, year }) => [intakeName[startDate], year].filter(Boolean).join(" "),
  },
  { title: "State", render: ({ state }) => <ApplicationStateBadge state={state} /> },
  { title: "Since", holds: "short", render: ({ updatedAt }) => formatDate(updatedAt) },
];

/** A student's applications; each has a page of its own. */
function Applications({ studentId }: { studentId: string }) {
  const { data, error, refetch } = useQuery(
    api.applications.ofStudent.queryOptions({ input: { studentId } }),
  );
  if (!data && error) return <Retry error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton label="Loading applications" />;
  if (data.applications.length === 0) return <p className={table.lead}>No applications yet.</p>;
  return (
    <div className={table.scroller}>
      <DataTable aria-label="Applications" columns={applicationColumns} rows={data.applications} />
    </div>
  );
}

type LogProps = { title: string; filter: { actor?: string; subject?: string }; all: string };

/** The newest entries of the audit log about an account, or by it. */
function Log({ title, filter, all }: LogProps) {
  const columns = useAuditColumns();
  const { data, error, refetch } = useQuery(
    api.audit.list.queryOptions({ input: { ...filter, limit: entriesShown } }),
  );
  return (
    <Section title={title}>
      {!data && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!data && !error && <TableSkeleton label={`Loading: ${title}`} />}
      {data?.entries.length === 0 && <p className={table.lead}>Nothing yet.</p>}
      {data && data.entries.length > 0 && (
        <div className={table.scroller}>
          <DataTable aria-label={title} columns={columns} rows={namedEntries(data)} />
        </div>
      )}
      {data?.next && (
        <p>
          <TextLink to={all}>All entries</TextLink>
        </p>
      )}
    </Section>
  );
}
