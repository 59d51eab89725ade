import { eq, sql } from "drizzle-orm";
import { youngFactorDays } from "#domain/second-factor.ts";
import type { Credentials } from "#domain/set-password-outcome.ts";
import { user } from "#server/features/account/tables.ts";
import { removePasskeys } from "#server/features/second-factor/commands/remove-factors.ts";
import { passkey, secondFactor } from "#server/features/second-factor/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Selects factors that were added so recently that the mailbox outranks them, by the database's clock. */
const isYoung = (table: typeof passkey | typeof secondFactor) =>
  sql`${table.createdAt} > now() - make_interval(days => ${youngFactorDays})`;

/** Ends API keys, webhooks and the calendar's address; returns what was ended. */
export async function endProgramAccess(
  services: Services,
  tx: Transaction,
  userId: string,
): Promise<Pick<Credentials, "apiKeys" | "webhooks" | "calendar">> {
  return {
    apiKeys: await services.apiKeySessions.revokeAll(tx, userId),
    webhooks: await services.accountEvents.endWebhooks(services, tx, userId),
    calendar: await services.accountEvents.endCalendar(tx, userId),
  };
}

/**
 * Ends everything that was added to an account: factors, API keys, webhooks, calendar, sessions and known browsers.
 * With `keepsOldFactors`, only young factors end. Returns what has ended, and the new epoch of the known browsers.
 */
export async function endCredentials(
  services: Services,
  tx: Transaction,
  userId: string,
  { keepsOldFactors }: { keepsOldFactors: boolean },
): Promise<{ ended: Credentials; browserEpoch: number }> {
  const { secondFactors, sessions } = services;
  const youngOnly = (table: typeof passkey | typeof secondFactor) =>
    keepsOldFactors ? isYoung(table) : undefined;
  const ended = {
    authenticator: await secondFactors.remove(tx, userId, youngOnly(secondFactor)),
    passkeys: await removePasskeys(tx, userId, youngOnly(passkey)),
    ...(await endProgramAccess(services, tx, userId)),
  };
  const [raised] = await tx
    .update(user)
    .set({ browserEpoch: sql`${user.browserEpoch} + 1` })
    .where(eq(user.id, userId))
    .returning({ browserEpoch: user.browserEpoch });
  await sessions.endAll(tx, userId);
  return { ended, browserEpoch: raised?.browserEpoch ?? 0 };
}
