import type { Viewer } from "#contract/account.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/**
 * An account that is taken out of use. `leaving`: its holder asked for its deletion. `shutOut`: an admin disabled,
 * revoked or denied it, or the configuration did. `erased`: it is about to be deleted. `actor` is null when the
 * configuration, the operator or a time limit did it.
 */
export type LostAccount = {
  id: string;
  name: string;
  actor: Actor | null;
  cause: "leaving" | "shutOut" | "erased";
  keepsStudents: boolean;
};

type Reaction<About> = (services: Services, tx: Transaction, about: About) => Promise<void>;

/**
 * Reactions of other features, run in the transaction in which an account changes. `compose.ts` names them: those
 * features depend on accounts, so accounts can't import them.
 */
export type AccountEvents = {
  signedUp: Reaction<Viewer>;
  /** The holder requested the account's deletion, but has logged in again. */
  kept: Reaction<string>;
  /** Removes the account's webhooks; resolves to how many there were. */
  endWebhooks(services: Services, tx: Transaction, userId: string): Promise<number>;
  /** Ends the address of the account's calendar; resolves to whether there was one. */
  endCalendar(tx: Transaction, userId: string): Promise<boolean>;
  /** Runs while the account's row is locked and still exists. */
  lost: Reaction<LostAccount>;
  /** An admin has readmitted an account that was shut out. */
  regained: Reaction<string>;
};
