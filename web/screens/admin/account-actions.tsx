import type { AccountRow as Account } from "#contract/accounts.ts";
import type { Status } from "#domain/account.ts";
import { isHelpedByAdmins } from "#domain/account-help.ts";
import { statusLabels } from "#domain/account-list.ts";
import { withErasure } from "../../lib/leaving.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";
import type { useDecide } from "../admin-dashboard/decision-dialog.tsx";
import { type Decision, decisions } from "../admin-dashboard/decisions.ts";
import table from "./data-table.module.css";

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

/** The status in words, with the day of an erasure. */
export const AccountStatus = ({ status, erasedOn }: Pick<Account, "status" | "erasedOn">) => (
  <StateBadge tone={tones[status]}>
    {withErasure(statusLabels[status], status === "active" ? null : erasedOn)}
  </StateBadge>
);

type AccountActionsProps = {
  account: Account;
  deciding: ReturnType<typeof useDecide>;
  onEdit: (account: Account) => void;
};

/** The buttons for all that an admin may do with an account. */
export function AccountActions({ account, deciding, onEdit }: AccountActionsProps) {
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
