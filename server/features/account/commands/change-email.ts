import { eq } from "drizzle-orm";
import { isInGoodStanding } from "#domain/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { type EmailChange, emailChangeProblem } from "#domain/email-change.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { mayHaveProfile } from "#domain/permission.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { askedEmailOf, dropAskedEmail, dropEmailChange, rememberAskedEmail } from "../asked-email.ts";
import { type Grant, withdrawLinks } from "../links.ts";
import { emailChangedMail, emailChangeMail } from "../mails.ts";
import { standingOf, viewerById } from "../queries.ts";
import type { AccountNews, Session } from "../sessions.ts";
import { deniedAgent, user } from "../tables.ts";
import { attemptPassword, type Client } from "./attempt-password.ts";

export type EmailChangeOutcome =
  | { kind: "requested" }
  | { kind: "problem"; problem: Problem }
  | { kind: "wrongPassword" }
  | { kind: "locked"; retryAfter: number }
  | { kind: "tooMany"; retryAfter: number }
  | { kind: "notAllowed" };

/** Seconds until the job looks whose address it is: what it does then is not felt in the answer. */
const lookAfter = 1;

/**
 * Asks for another email address: the password proves who asks, and counts
 * like a login's; the mailed link proves whose address it is. Until then nothing changes.
 */
export async function requestEmailChange(
  services: Services,
  client: Client & { session: Session },
  input: EmailChange,
): Promise<EmailChangeOutcome> {
  const { database, limits } = services;
  const { address, session } = client;
  const { userId } = session;
  const viewer = await viewerById(database.db, userId);
  if (!viewer) return { kind: "notAllowed" };
  const problem = emailChangeProblem(input, viewer.email);
  if (problem) return { kind: "problem", problem };
  const refused = await refusedPassword(services, client, viewer.email, input.password);
  if (refused) return refused;
  const allowance = await limits.emailChange(userId);
  if (allowance.kind === "locked") return { kind: "tooMany", retryAfter: allowance.retryAfter };
  return await database.transaction(async (tx) => {
    const standing = await standingOf(tx, userId);
    if (!standing || !mayHaveProfile(standing)) return { kind: "notAllowed" };
    await recordAudit(tx, { action: "email-change-asked", actorId: userId, subjectId: userId, address });
    const data = { userId, email: normaliseEmail(input.email), from: viewer.email };
    await rememberAskedEmail(tx, userId, data.email);
    await queueMail(services.jobs, tx, emailChangeMail, data, lookAfter);
    return { kind: "requested" };
  });
}

/** One attempt at the password of the account; null when it was right. */
async function refusedPassword(
  services: Services,
  client: Client & { session: Session },
  email: string,
  password: string,
): Promise<EmailChangeOutcome | null> {
  const attempt = await attemptPassword(services, email, password, client);
  if (attempt.kind === "locked") return attempt;
  const { address, session } = client;
  const { userId } = session;
  if (attempt.isRight && attempt.claimant.userId === userId) {
    await attempt.refund();
    return null;
  }
  const detail = { refusal: "auth/wrong-password" };
  const entry = { action: "sign-in-failed", actorId: userId, subjectId: userId, address, detail } as const;
  await recordAudit(services.database.db, entry);
  return { kind: "wrongPassword" };
}

/** Rolls the change back: the address has been taken since the link was mailed. */
export class AddressIsTaken extends Error {}

/**
 * What the mailed link grants, in the caller's transaction: the account gets the new address, which is verified by
 * it, and the old one is told. Sessions go on. A link that has done this already answers alike. Null when the link
 * does not hold any more; an address that somebody else has by now is an `AddressIsTaken` or a unique violation.
 */
export async function confirmEmailChange(
  services: Services,
  tx: Transaction,
  { userId, email, from }: Extract<Grant, { purpose: "email" }>,
): Promise<AccountNews | null> {
  const [holder] = await tx
    .select({ email: user.email, firstName: user.firstName, role: user.role, status: user.status })
    .from(user)
    .where(eq(user.id, userId))
    .for("update");
  if (!holder || holder.role === "admin" || !isInGoodStanding(holder)) return null;
  if (holder.email === email) return { userId, ended: false };
  // Called off, or another address was asked for since: looked at under the holder's lock.
  if (holder.email !== from || (await askedEmailOf(tx, userId)) !== email) return null;
  if (services.environment.adminEmails.includes(email)) throw new AddressIsTaken();
  await tx.update(user).set({ email, emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  // Looked for only now: a denial that was under way has held the unique address until it was decided.
  const [denied] = await tx
    .select({ id: deniedAgent.id })
    .from(deniedAgent)
    .where(eq(deniedAgent.email, email));
  if (denied) throw new AddressIsTaken();
  // A link in the former mailbox must not set a password any more.
  await withdrawLinks(tx, { purpose: "reset", userId });
  // The link stays until it is too old: pressed twice, it says again that it worked.
  await dropAskedEmail(tx, userId);
  await recordAudit(tx, { action: "email-changed", actorId: userId, subjectId: userId });
  await queueMail(services.jobs, tx, emailChangedMail, { to: from, firstName: holder.firstName });
  if (holder.role === "agent") await services.live.publish("agents", "{}", tx);
  return { userId, ended: false };
}

/** Calls off the change that waits to be confirmed, if there is one: its link does nothing from then on. */
export async function cancelEmailChange({ database }: Services, { userId, address }: Actor): Promise<void> {
  await database.transaction(async (tx) => {
    // Of a confirmation and this at once, the second finds what the first has left.
    await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for("update");
    if ((await askedEmailOf(tx, userId)) === null) return;
    await dropEmailChange(tx, userId);
    await recordAudit(tx, { action: "email-change-cancelled", actorId: userId, subjectId: userId, address });
  });
}
