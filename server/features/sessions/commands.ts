import { lockAccount } from "#server/features/account/queries.ts";
import { deleteRequestedEmail } from "#server/features/account/requested-email.ts";
import { type Actor, recordOwn } from "#server/features/audit/commands.ts";
import type { Services } from "#server/services.ts";
import type { Session } from "./sessions.ts";

/** Ends one session and its streams, on every node. */
export async function signOut(
  { database, sessions }: Services,
  current: Session,
  address: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await recordOwn(tx, "sign-out", { userId: current.userId, address });
    await sessions.end(tx, current);
  });
}

/**
 * Ends another session of the account, and with it that device's login. Cancels a pending change of address, which may
 * have been requested there. A session that has already ended is no error.
 */
export async function signOutDevice(
  { database, sessions }: Services,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const { userId } = actor;
    // Locks the account, so that a concurrent request for a change runs before this or after.
    await lockAccount(tx, userId);
    await deleteRequestedEmail(tx, userId);
    if ((await sessions.end(tx, { id, userId })) === 0) return;
    await recordOwn(tx, "sign-out", actor, { elsewhere: "1" });
  });
}

/** Ends all sessions of the account except the current one. */
export async function signOutOthers(
  { database, sessions }: Services,
  current: Session,
  address: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockAccount(tx, current.userId);
    const elsewhere = await sessions.endOthers(tx, current);
    if (elsewhere === 0) return;
    await recordOwn(tx, "sign-out", { userId: current.userId, address }, { elsewhere: String(elsewhere) });
  });
}
