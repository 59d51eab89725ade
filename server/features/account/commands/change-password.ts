import { and, eq } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { type PasswordChange, passwordChangeProblem } from "#domain/password.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { dropEmailChange } from "../asked-email.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { withdrawLinks } from "../links.ts";
import { lockStatus, viewerById } from "../queries.ts";
import { demandRecentLoginBesidePassword } from "../recent-login.ts";
import { queueSecurityMail } from "../security-mails.ts";
import type { Session } from "../sessions.ts";
import { account, user } from "../tables.ts";
import { attemptOwnPassword, type Client } from "./attempt-password.ts";
import { minLengthOf } from "./set-password.ts";

/**
 * Sets another password for who knows the current one. All other sessions of the account end, this one goes on; links
 * that were mailed before do nothing any more.
 */
export async function changePassword(
  services: Services,
  client: Client & { session: Session },
  input: PasswordChange,
): Promise<void> {
  const { session } = client;
  const viewer = await viewerById(services, services.database.db, session.userId);
  if (!viewer) throw new Refusal("unauthenticated");
  const problem = passwordChangeProblem(input, {
    minLength: minLengthOf(services, viewer.role === "admin"),
    ownWords: [viewer.email, viewer.firstName, viewer.lastName],
    isCommon: isCommonPassword,
  });
  if (problem) throw Refusal.of(problem);
  await demandRecentLoginBesidePassword(services, session);
  const { claimant, refund } = await attemptOwnPassword(
    services,
    client,
    input.currentPassword,
    "currentPassword",
  );
  await refund();
  const hash = await services.identity.passwords.hash(input.password);
  await services.database.transaction((tx) =>
    store(services, tx, client, { from: claimant.passwordHash ?? "", to: hash }),
  );
}

async function store(
  services: Services,
  tx: Transaction,
  { session, address }: { session: Session; address: string },
  hash: { from: string; to: string },
): Promise<void> {
  const { userId } = session;
  // In the order of `setPassword`: the password, then the account. Hashing took its time, so all of it may have changed.
  const changed = await tx
    .update(account)
    .set({ password: hash.to, updatedAt: new Date() })
    .where(
      and(eq(account.userId, userId), eq(account.providerId, "credential"), eq(account.password, hash.from)),
    )
    .returning({ id: account.id });
  if (changed.length === 0) throw Refusal.conflict();
  // A login with the former password either is there by now, and ends, or finds the new one.
  await tx.update(user).set({ updatedAt: new Date() }).where(eq(user.id, userId));
  const status = await lockStatus(tx, userId);
  if (status === null || !hasAccess(status)) throw new Refusal("permission-denied");
  await withdrawLinks(tx, { purpose: "reset", userId });
  // Whoever knew the former password may have asked for another address.
  await dropEmailChange(tx, userId);
  await recordOwn(tx, "password-changed", { userId, address });
  await queueSecurityMail(services, tx, userId, "password-changed");
  await services.sessions.endOthers(tx, session);
}
