import { wrong } from "#domain/problem.ts";
import { confirmAddress, publishVerified } from "#server/features/account/commands/confirm-address.ts";
import { type Account, accountById, lockAccount } from "#server/features/account/queries.ts";
import { requestedEmailOf } from "#server/features/account/requested-email.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { findLink, type Grant } from "../links.ts";
import { verificationMail } from "../mails.ts";
import { attemptPassword, type Client } from "./attempt-password.ts";
import { confirmEmailChange } from "./change-email.ts";
import { proveSecondFactor, refuse } from "./sign-in.ts";

type AddressGrant = Extract<Grant, { purpose: "verify" | "email" }>;

/** The input of a user who opens a link where its account is not logged in. */
type SecretForm = { password: string; code: string };

const invalidLink = () => new Refusal("auth/invalid-action-code");

/**
 * Confirms the address that a link was mailed to: the account's own, or the new one that it moves to. The link proves
 * who reads the mailbox. The account's session, or its password with the second factor that a login requires, proves
 * that the account is not that of a stranger who has entered their address. A link is invalid once the address has
 * changed again, or the change that it belongs to was dropped. Opening it again returns the same and changes nothing.
 * Returns the address, and whether the account has moved to it.
 */
export async function verifyEmail(
  services: Services,
  { token, ...form }: SecretForm & { token: string },
  client: Client,
): Promise<{ email: string; isNew: boolean }> {
  const { database } = services;
  const grant = await findLink(database, token);
  if (grant?.purpose !== "verify" && grant?.purpose !== "email") throw invalidLink();
  // Reads this before the account, so that a link that a concurrent request redeems counts as done.
  const pending = await requestedEmailOf(database.db, grant.userId);
  const holder = await accountById(database.db, grant.userId);
  if (!holder) throw invalidLink();
  const answer = { email: grant.email, isNew: grant.purpose === "email" };
  if (isDone(grant, holder)) return answer;
  if (holder.email !== (grant.purpose === "email" ? grant.from : grant.email)) throw invalidLink();
  if (grant.purpose === "email" && pending !== grant.email) throw invalidLink();
  if (client.session?.userId !== holder.id) await requireProof(services, grant, holder, form, client);
  try {
    await database.transaction((tx) => confirm(services, tx, grant));
    return answer;
  } catch (error) {
    // The new address has been taken since the link was mailed.
    throw isUniqueViolation(error) ? new Refusal("auth/email-already-in-use") : error;
  }
}

const isDone = ({ email }: AddressGrant, holder: Account) => holder.email === email && holder.emailVerified;

/**
 * Refuses everything except the account's correct password, and the correct code if a login requires one. An attempt
 * counts like one at a login. If the link is opened twice concurrently, it may have moved the account to its new
 * address before the password was looked up by the former one.
 */
async function requireProof(
  services: Services,
  grant: AddressGrant,
  { id, email, role }: Account,
  { password, code }: SecretForm,
  client: Client,
): Promise<void> {
  if (password === "") throw Refusal.of(wrong("password", "Please enter your password."));
  const { db, transaction } = services.database;
  const { address } = client;
  const { claimant, isRight, refund } = await attemptPassword(services, email, password, client);
  if (isRight && claimant.userId === id) {
    // Refusals are returned, not thrown within the transaction, so that the audit log keeps the entry.
    const proof = await transaction(async (tx) => {
      const outcome = await proveSecondFactor(services, tx, { userId: id, role, address }, code);
      return "refusal" in outcome ? await refuse(tx, id, outcome.refusal, address) : null;
    });
    if (proof?.refusal !== "auth/invalid-verification-code") await refund();
    if (proof) throw new Refusal(proof.refusal, { field: "code" });
    return;
  }
  const holder = await accountById(db, id);
  if (holder && isDone(grant, holder)) return await refund();
  await refuse(db, id, "auth/wrong-password", address);
  throw new Refusal("auth/wrong-password", { field: "password" });
}

async function confirm(services: Services, tx: Transaction, grant: AddressGrant): Promise<void> {
  const { userId } = grant;
  if (grant.purpose === "verify") {
    const holder = await lockAccount(tx, userId);
    if (holder?.email !== grant.email) throw invalidLink();
    if (!holder.emailVerified) await confirmAddress(services, tx, userId);
    return;
  }
  if (!(await confirmEmailChange(services, tx, grant))) throw invalidLink();
  await publishVerified(services, tx, userId);
}

/** Queues the verification mail again; the job checks whether it is still needed. */
export async function resendVerification(
  { database, jobs }: Services,
  userId: string,
  next?: string,
): Promise<void> {
  await database.transaction((tx) => queueMail(jobs, tx, verificationMail, { userId, next }));
}
