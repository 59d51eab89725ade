import type { AccountRow as Account } from "#contract/accounts.ts";
import type { Status } from "#domain/account.ts";
import { roleLabels, statusLabels } from "#domain/account-list.ts";
import { useFormats } from "../../lib/format-date.ts";
import { Button } from "../../ui/button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import { type Decision, decisions } from "../admin-dashboard/decisions.ts";
import classes from "./admin-table.module.css";

type Offered = Extract<Decision, "disable" | "enable" | "logOut">;

type AccountTableProps = {
  accounts: readonly Account[];
  /** Newer rows are on the way. */
  busy: boolean;
  /** The id of whom something is being decided about. */
  pending: string | null;
  onDecide: (decision: Offered, account: Account) => void;
};

/** The accounts; on a telephone each is a card. */
export const AccountTable = ({ accounts, busy, pending, onDecide }: AccountTableProps) => (
  <section className={classes.scroller} aria-label="Accounts" aria-busy={busy}>
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Email</th>
          <th scope="col">Role</th>
          <th scope="col">Status</th>
          <th scope="col">Since</th>
          <th scope="col">Last login</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <Row key={account.id} account={account} busy={pending === account.id} onDecide={onDecide} />
        ))}
      </tbody>
    </table>
  </section>
);

const tones: Record<Status, Tone> = {
  active: "going",
  approved: "going",
  pending: "asks",
  disabled: "ended",
  revoked: "ended",
};

/** An admin is taken off `ADMIN_EMAILS` instead of being disabled. Who is disabled or revoked is logged out already. */
const offeredFor = ({ role, status }: Account): readonly Offered[] => {
  if (status === "revoked") return [];
  if (status === "disabled") return role === "admin" ? [] : ["enable"];
  return role === "admin" ? ["logOut"] : ["disable", "logOut"];
};

type RowProps = { account: Account; busy: boolean; onDecide: AccountTableProps["onDecide"] };

function Row({ account, busy, onDecide }: RowProps) {
  const { formatDate, formatMoment } = useFormats();
  const { name, email, role, status, emailVerified, since, lastLogin } = account;
  return (
    <tr>
      <th scope="row" className={classes.long}>
        {name || email}
      </th>
      <td className={classes.long} data-label="Email" data-wide>
        <span>
          {email} {!emailVerified && <span className={classes.small}>Not verified</span>}
        </span>
      </td>
      <td className={classes.short} data-label="Role">
        {roleLabels[role]}
      </td>
      <td className={classes.short} data-label="Status">
        <StateBadge tone={tones[status]}>{statusLabels[status]}</StateBadge>
      </td>
      <td className={classes.short} data-label="Since">
        {formatDate(since)}
      </td>
      <td className={classes.short} data-label="Last login">
        {lastLogin ? formatMoment(lastLogin) : <span className={classes.dimmed}>Unknown</span>}
      </td>
      <td data-action data-wide>
        <div className={classes.actions}>
          {offeredFor(account).map((decision) => (
            <Button
              key={decision}
              size="compact-sm"
              variant="default"
              aria-label={`${decisions[decision].label} ${name || email}`}
              disabled={busy}
              onClick={() => onDecide(decision, account)}
            >
              {decisions[decision].label}
            </Button>
          ))}
          <LinkButton
            size="compact-sm"
            to={`/admin/audit?${new URLSearchParams({ whom: email }).toString()}`}
            aria-label={`Log of ${name || email}`}
          >
            Log
          </LinkButton>
        </div>
      </td>
    </tr>
  );
}
