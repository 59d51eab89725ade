import { gt } from "drizzle-orm";
import { isAdmin } from "#domain/permission.ts";
import { lockAccount, lockActor } from "#server/features/account/queries.ts";
import { session } from "#server/features/account/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/** Logs an account out wherever it is logged in. `actor` null: the operator. */
export async function endSessions(
  { database, sessions }: Services,
  actor: Actor | null,
  userId: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (actor) await lockActor(tx, actor, isAdmin);
    // Held against a login at the same moment, which locks the account too.
    if (!(await lockAccount(tx, userId))) throw new Refusal("not-found");
    await recordAudit(tx, { action: "sessions-ended", ...actedBy(actor), subjectId: userId });
    await sessions.endAll(tx, userId);
  });
}

/** Accounts that are logged out at a time. */
const batchSize = 200;

/** Logs everybody out, for the operator; returns how many accounts that were. Who logs in meanwhile may stay. */
export async function endAllSessions({ database, sessions }: Services): Promise<number> {
  let ended = 0;
  let last = "";
  for (;;) {
    const found = await database.transaction(async (tx) => {
      const accounts = await tx
        .selectDistinct({ userId: session.userId })
        .from(session)
        .where(gt(session.userId, last))
        .orderBy(session.userId)
        .limit(batchSize);
      for (const { userId } of accounts) {
        await recordAudit(tx, { action: "sessions-ended", ...actedBy(null), subjectId: userId });
        await sessions.endAll(tx, userId);
      }
      return accounts;
    });
    ended += found.length;
    last = found.at(-1)?.userId ?? last;
    if (found.length < batchSize) return ended;
  }
}
