import { and, eq, gt, isNotNull, or } from "drizzle-orm";
import { isAdmin } from "#domain/permission.ts";
import { lockAccount, lockActor } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { apiKey } from "#server/features/api-keys/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { calendarFeed } from "#server/features/planner/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

type EndRequest = { userId: string; withKeys: boolean };

/** Ends an account's sessions in a transaction; returns how many API keys the account had. */
async function endIn(
  tx: Transaction,
  { sessions }: Pick<Services, "sessions">,
  actor: Actor | null,
  { userId, withKeys }: EndRequest,
): Promise<number> {
  const keys = await tx.$count(apiKey, eq(apiKey.userId, userId));
  await recordAudit(tx, { action: "sessions-ended", ...actedBy(actor), subjectId: userId });
  if (withKeys) await sessions.endAll(tx, userId);
  else await sessions.logOut(tx, userId);
  return keys;
}

/**
 * Logs an account out of all its sessions, and with `withKeys` ends its API keys and its calendar's address. Returns
 * how many API keys it had. `actor` is null for the operator.
 */
export async function endSessions(
  { database, sessions }: Services,
  actor: Actor | null,
  request: EndRequest,
): Promise<number> {
  return await database.transaction(async (tx) => {
    if (actor) await lockActor(tx, actor, isAdmin);
    // The lock makes a concurrent login wait, which locks the account too.
    if (!(await lockAccount(tx, request.userId))) throw new Refusal("not-found");
    return await endIn(tx, { sessions }, actor, request);
  });
}

/** Accounts that one transaction logs out. */
const batchSize = 200;

/**
 * Logs all accounts out, for the operator; returns how many these were, and how many API keys exist. An account that
 * logs in meanwhile may stay logged in.
 */
export async function endAllSessions(
  { database, sessions }: Services,
  withKeys: boolean,
): Promise<{ accounts: number; keys: number }> {
  const keys = await database.db.$count(apiKey);
  const hasCredentials = withKeys
    ? or(isNotNull(session.id), isNotNull(apiKey.id), isNotNull(calendarFeed.userId))
    : isNotNull(session.id);
  let accounts = 0;
  let last = "";
  for (;;) {
    const batch = await database.transaction(async (tx) => {
      const ids = await tx
        .selectDistinct({ userId: user.id })
        .from(user)
        .leftJoin(session, eq(session.userId, user.id))
        .leftJoin(apiKey, eq(apiKey.userId, user.id))
        .leftJoin(calendarFeed, eq(calendarFeed.userId, user.id))
        .where(and(gt(user.id, last), hasCredentials))
        .orderBy(user.id)
        .limit(batchSize);
      for (const { userId } of ids) await endIn(tx, { sessions }, null, { userId, withKeys });
      return ids;
    });
    accounts += batch.length;
    last = batch.at(-1)?.userId ?? last;
    if (batch.length < batchSize) return { accounts, keys };
  }
}
