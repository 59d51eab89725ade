import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { AccountRow as Account } from "#contract/accounts.ts";
import { type Role, roles, type Status, statuses } from "#domain/account.ts";
import { isHelpedByAdmins } from "#domain/account-help.ts";
import { accountSearchLimit, roleLabels, statusesOf, statusLabels } from "#domain/account-list.ts";
import { useFormats } from "../../lib/format-date.ts";
import { withErasure } from "../../lib/leaving.ts";
import { whenOnline } from "../../lib/online.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { DecisionDialog, useDecide } from "../admin-dashboard/decision-dialog.tsx";
import { type Decision, decisions } from "../admin-dashboard/decisions.ts";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import type { Column } from "./data-table.tsx";
import classes from "./filters.module.css";
import { ChoiceFilter, TextFilter } from "./filters.tsx";
import { PagedTable } from "./paged-table.tsx";

/** Lazy-loaded, since few accounts are edited. */
const EditAccount = lazy(whenOnline(() => import("./edit-account.tsx")));

export const meta = () => pageMeta("Accounts");

const words = { one: "account", many: "accounts", none: "No accounts match" };

/** The list's search and filters, as the address has them. */
type View = { search: string; role: Role | null; status: Status | null };
const everybody: View = { search: "", role: null, status: null };

function readView(params: URLSearchParams): View {
  const role = roles.find((each) => each === params.get("role")) ?? null;
  const status = statuses.find((each) => each === params.get("status")) ?? null;
  return {
    search: (params.get("search") ?? "").slice(0, accountSearchLimit),
    role,
    status: status && offered(role).includes(status) ? status : null,
  };
}

/** Returns the states that the filter offers. */
const offered = (role: Role | null): readonly Status[] => (role ? statusesOf[role] : statuses);

const accountsQuery = ({ search, role, status }: View) =>
  api.accounts.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      search,
      role: role ?? undefined,
      status: status ?? undefined,
      cursor,
    }),
    ...paged,
    select: ({ pages }) => pages.flatMap(({ accounts }) => accounts),
  });

/** Everyone who has an account, newest first. */
export default function Accounts() {
  const [view, onChange] = useAddressView(readView, {});
  const query = useInfiniteQuery({ ...accountsQuery(view), placeholderData: keepPreviousData });
  const deciding = useDecide();
  const [edited, setEdited] = useState<Account | null>(null);
  const columns = useColumns(deciding, setEdited);
  return (
    <Page wide title="Accounts">
      <AdminNav />
      <Filters view={view} onChange={onChange} />
      <ListStatus
        shown={query.data?.length !== 0}
        count={query.isPlaceholderData ? null : (query.data?.length ?? null)}
        more={query.hasNextPage}
        words={words}
      />
      <PagedTable
        label="Accounts"
        loading="Loading accounts"
        query={query}
        columns={columns}
        empty={
          <EmptyState title="No accounts found" text="Try fewer filters, or part of a name or email address.">
            <Button variant="default" onClick={() => onChange(everybody)}>
              Clear filters
            </Button>
          </EmptyState>
        }
      />
      <DecisionDialog {...deciding} />
      <Suspense>
        <EditAccount account={edited} onClose={() => setEdited(null)} />
      </Suspense>
    </Page>
  );
}

const Filters = ({ view, onChange }: { view: View; onChange: (changes: Partial<View>) => void }) => (
  <search className={`${classes.filters} ${classes.three}`}>
    <div className={classes.wide}>
      <TextFilter
        label="Search accounts"
        placeholder="Name or email..."
        maxLength={accountSearchLimit}
        value={view.search}
        onChange={(search) => onChange({ search })}
      />
    </div>
    <ChoiceFilter
      label="Role"
      all="All roles"
      labels={roleLabels}
      options={roles}
      value={view.role}
      onChange={(role) =>
        onChange({ role, ...(view.status && !offered(role).includes(view.status) && { status: null }) })
      }
    />
    <ChoiceFilter
      label="Status"
      all="All statuses"
      labels={statusLabels}
      options={offered(view.role)}
      value={view.status}
      onChange={(status) => onChange({ status })}
    />
  </search>
);

const tones: Record<Status, Tone> = {
  active: "going",
  approved: "going",
  pending: "asks",
  disabled: "ended",
  leaving: "asks",
  revoked: "ended",
};

/**
 * An admin is taken off `ADMIN_EMAILS` instead of being disabled. Disabled, leaving and revoked accounts are logged out
 * already.
 */
const offeredFor = ({ role, status }: Account): readonly Decision[] => {
  if (status === "revoked") return [];
  if (status === "leaving") return ["disable"];
  if (status === "disabled") return role === "admin" ? [] : ["enable"];
  return role === "admin" ? ["logOut"] : ["disable", "logOut"];
};

type DecideHook = ReturnType<typeof useDecide>;

type Edit = (account: Account) => void;

function useColumns(deciding: DecideHook, onEdit: Edit): Column<Account>[] {
  const { formatDate, formatMoment } = useFormats();
  return [
    { title: "Name", holds: "long", render: ({ name, email }) => name || email },
    {
      title: "Email",
      holds: "long",
      wide: true,
      render: ({ email, emailVerified }) => (
        <span>
          {email} {!emailVerified && <span className={table.small}>Not verified</span>}
        </span>
      ),
    },
    { title: "Role", holds: "short", render: ({ role }) => roleLabels[role] },
    {
      title: "Status",
      holds: "short",
      render: ({ status, erasedOn }) => (
        <span className={table.wraps}>
          <StateBadge tone={tones[status]}>
            {withErasure(statusLabels[status], status === "active" ? null : erasedOn)}
          </StateBadge>
        </span>
      ),
    },
    { title: "Since", holds: "short", render: ({ since }) => formatDate(since) },
    {
      title: "Last login",
      holds: "short",
      render: ({ lastLogin }) =>
        lastLogin ? formatMoment(lastLogin) : <span className={table.dimmed}>Unknown</span>,
    },
    {
      title: "Actions",
      acts: true,
      wide: true,
      render: (account) => <Actions account={account} deciding={deciding} onEdit={onEdit} />,
    },
  ];
}

type ActionsProps = { account: Account; deciding: DecideHook; onEdit: Edit };

function Actions({ account, deciding, onEdit }: ActionsProps) {
  const { id, name, email } = account;
  return (
    <div className={table.actions}>
      {offeredFor(account).map((decision) => (
        <Button
          key={decision}
          size="compact-sm"
          variant="default"
          aria-label={`${decisions[decision].label} ${name || email}`}
          disabled={deciding.pending === id}
          onClick={() => deciding.decide({ decision, agent: account })}
        >
          {decisions[decision].label}
        </Button>
      ))}
      {isHelpedByAdmins(account) && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Edit ${name || email}`}
          onClick={() => onEdit(account)}
        >
          Edit
        </Button>
      )}
      <LinkButton
        size="compact-sm"
        to={`/admin/audit?${new URLSearchParams({ whom: email }).toString()}`}
        aria-label={`Log of ${name || email}`}
      >
        Log
      </LinkButton>
    </div>
  );
}
