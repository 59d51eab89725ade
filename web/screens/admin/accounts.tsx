import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { AccountRow as Account } from "#contract/accounts.ts";
import { type Role, roles, type Status, statuses } from "#domain/account.ts";
import { accountSearchLimit, roleLabels, statusesOf, statusLabels } from "#domain/account-list.ts";
import { accountPath } from "#protocol/addresses.ts";
import { useFormats } from "../../lib/format-date.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { late } from "../../ui/late.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { DecisionDialog, useDecide } from "../admin-dashboard/decision-dialog.tsx";
import { AccountActions, AccountStatus } from "./account-actions.tsx";
import { AdminNav } from "./admin-nav.tsx";
import table from "./data-table.module.css";
import type { Column } from "./data-table.tsx";
import classes from "./filters.module.css";
import { ChoiceFilter, TextFilter } from "./filters.tsx";
import { PagedTable } from "./paged-table.tsx";

/** Lazy-loaded, since few accounts are edited. */
const EditAccount = late(() => import("./edit-account.tsx"));

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

/** Returns the statuses that the filter offers. */
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

type DecidingActions = Parameters<typeof AccountActions>[0]["deciding"];

function useColumns(deciding: DecidingActions, onEdit: (account: Account) => void): Column<Account>[] {
  const { formatDate, formatMoment } = useFormats();
  return [
    {
      title: "Name",
      holds: "long",
      render: ({ id, name, email }) => <TextLink to={accountPath(id)}>{name || email}</TextLink>,
    },
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
      render: (account) => (
        <span className={table.wraps}>
          <AccountStatus {...account} />
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
      render: (account) => <AccountActions account={account} deciding={deciding} onEdit={onEdit} />,
    },
  ];
}
