import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type Role, roles, type Status, statuses } from "#domain/account.ts";
import { accountSearchLimit, roleLabels, statusesOf, statusLabels } from "#domain/account-list.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { paged } from "../../lib/paged.ts";
import { api } from "../../lib/rpc.ts";
import { useAddressView } from "../../lib/use-address-view.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorModal } from "../../ui/error-modal.tsx";
import { ListStatus } from "../../ui/list-status.tsx";
import { Page } from "../../ui/page.tsx";
import { Retry } from "../../ui/retry.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { DecisionDialog } from "../admin-dashboard/decision-dialog.tsx";
import { useDecide } from "../admin-dashboard/use-decide.ts";
import { AccountTable } from "./account-table.tsx";
import { AdminNav } from "./admin-nav.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";
import classes from "./filters.module.css";
import { TableSkeleton } from "./table-skeleton.tsx";
import { TextFilter } from "./text-filter.tsx";

export const meta = () => pageMeta("Accounts");

const words = { one: "account", many: "accounts", none: "No accounts match" };

/** What the list shows, as its address has it. */
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

/** The states that can be asked for. */
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
  });

/** Everyone who has an account, newest first. */
export default function Accounts() {
  const [view, onChange] = useAddressView(readView, {});
  const query = useInfiniteQuery({ ...accountsQuery(view), placeholderData: keepPreviousData });
  const { data, error, refetch, isPlaceholderData } = query;
  const accounts = data?.pages.flatMap((page) => page.accounts);
  const deciding = useDecide();
  return (
    <Page wide title="Accounts">
      <AdminNav />
      <Filters view={view} onChange={onChange} />
      <ListStatus
        shown={accounts?.length !== 0}
        count={isPlaceholderData ? null : (accounts?.length ?? null)}
        more={query.hasNextPage}
        words={words}
      />
      {!accounts && error && <Retry error={error} onRetry={() => void refetch()} />}
      {!accounts && !error && <TableSkeleton label="Loading accounts" />}
      {accounts?.length === 0 && (
        <EmptyState title="No accounts found" text="Try fewer filters, or part of a name or email address.">
          <Button variant="default" onClick={() => onChange(everybody)}>
            Clear filters
          </Button>
        </EmptyState>
      )}
      {accounts && accounts.length > 0 && (
        <AccountTable
          accounts={accounts}
          busy={isPlaceholderData}
          pending={deciding.pending}
          onDecide={(decision, agent) => deciding.decide({ decision, agent })}
        />
      )}
      <ShowMore query={query} />
      <DecisionDialog asked={deciding.asked} onConfirm={deciding.confirm} onCancel={deciding.cancel} />
      <ErrorModal title="Error" error={deciding.failure} onClose={deciding.clearFailure} />
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
