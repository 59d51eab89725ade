import type { Viewer } from "#contract/account.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** An account that is disabled, revoked or about to be deleted. `actor` is null where the configuration or the operator did it. */
export type LostAccount = { id: string; name: string; actor: Actor | null; keepsStudents: boolean };

/**
 * What other features do in the transaction in which an account changes, in their order. Registered in `compose.ts`:
 * they stand on accounts, so accounts can't import them.
 */
export type AccountEvents = {
  signedUp: readonly ((services: Services, tx: Transaction, account: Viewer) => Promise<void>)[];
  /** Its holder asked for its deletion, and has logged in instead. */
  kept: readonly ((services: Services, tx: Transaction, userId: string) => Promise<void>)[];
  /** The account's row is locked and still there. */
  lost: readonly ((services: Services, tx: Transaction, account: LostAccount) => Promise<void>)[];
};

export async function accountSignedUp(services: Services, tx: Transaction, account: Viewer): Promise<void> {
  for (const react of services.accountEvents.signedUp) await react(services, tx, account);
}

export async function accountKept(services: Services, tx: Transaction, userId: string): Promise<void> {
  for (const react of services.accountEvents.kept) await react(services, tx, userId);
}

export async function accountLost(services: Services, tx: Transaction, account: LostAccount): Promise<void> {
  for (const react of services.accountEvents.lost) await react(services, tx, account);
}
