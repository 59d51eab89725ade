import { and, eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { type PasswordChange, passwordChangeProblem } from "#domain/password.ts";
import { endedSentence } from "#domain/set-password-outcome.ts";
import { accountById, lockStatus } from "#server/features/account/queries.ts";
import { queueSecurityMail } from "#server/features/account/security-mails.ts";
import { account, user } from "#server/features/account/tables.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { removePasskeys } from "#server/features/second-factor/commands/remove-factors.ts";
import type { Session } from "#server/features/sessions/sessions.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { withdrawPasswordLinks } from "../links.ts";
import { attemptOwnPassword, type Client, requireRecentLoginBesidePassword } from "./attempt-password.ts";
import { endProgramAccess } from "./end-credentials.ts";
import { minLengthOf } from "./set-password.ts";

/**
 * Sets a new password for a holder who knows the current one. Ends all other sessions of the account, and invalidates
 * links that were mailed before; with `endsAccess` also passkeys, API keys, webhooks and the calendar's address.
 */
export async function changePassword(
  services: Services,
  client: Client & { session: Session },
  { endsAccess, ...input }: PasswordChange & { endsAccess: boolean },
): Promise<void> {
  const { session } = client;
  const holder = await accountById(services.database.db, session.userId);
  if (!holder) throw new Refusal("unauthenticated");
  const problem = passwordChangeProblem(input, {
    minLength: minLengthOf(services, holder.role === "admin"),
    ownWords: [holder.email, holder.firstName, holder.lastName],
    isCommon: isCommonPassword,
  });
  if (problem) throw Refusal.of(problem);
  await requireRecentLoginBesidePassword(services, session);
  const { claimant, refund } = await attemptOwnPassword(
    services,
    client,
    input.currentPassword,
    "currentPassword",
  );
  await refund();
  const hash = await services.passwords.hash(input.password, {
    address: client.address,
    isKnown: true,
  });
  const change = { from: claimant.passwordHash ?? "", to: hash, endsAccess };
  await services.database.transaction((tx) => store(services, tx, client, change));
}

async function store(
  services: Services,
  tx: Transaction,
  { session, address }: { session: Session; address: string },
  { from, to, endsAccess }: { from: string; to: string; endsAccess: boolean },
): Promise<void> {
  const { userId } = session;
  // Locks the password before the account, like `setPassword`. Everything may have changed during hashing.
  const rows = await tx
    .update(account)
    .set({ password: to, updatedAt: new Date() })
    .where(and(eq(account.userId, userId), eq(account.providerId, "credential"), eq(account.password, from)))
    .returning({ id: account.id });
  if (rows.length === 0) throw Refusal.conflict();
  // A login with the old password either has its session by now, which ends, or fails against the new password.
  const [holder] = await tx
    .update(user)
    .set({ updatedAt: new Date() })
    .where(eq(user.id, userId))
    .returning({ id: user.id, email: user.email });
  const status = await lockStatus(tx, userId);
  if (!holder || status === null || !hasAccess(status)) throw new Refusal("permission-denied");
  await withdrawPasswordLinks(tx, holder);
  await recordOwn(tx, "password-changed", { userId, address });
  const ended = endsAccess
    ? { passkeys: await removePasskeys(tx, userId), ...(await endProgramAccess(services, tx, userId)) }
    : {};
  const sentence = endedSentence(ended);
  await queueSecurityMail(services, tx, userId, "password-changed", { details: sentence ? [sentence] : [] });
  await services.sessions.endOthers(tx, session);
}
