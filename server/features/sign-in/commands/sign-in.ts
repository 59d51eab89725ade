import { eq } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import type { Role } from "#domain/account.ts";
import { browserName } from "#domain/browser-name.ts";
import { normaliseEmail } from "#domain/email.ts";
import { type ErrorCode, profileNotFound } from "#domain/error-catalogue.ts";
import { type Credentials, credentialsProblem, decideSignIn, type SignInRefusal } from "#domain/sign-in.ts";
import { keepAccount } from "#server/features/account/commands/keep-account.ts";
import { type Account, lockAccount, viewerById } from "#server/features/account/queries.ts";
import {
  queueSecurityMail,
  reportNewDevice,
  reportWrongCode,
} from "#server/features/account/security-mails.ts";
import { user } from "#server/features/account/tables.ts";
import { type Actor, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import { consumeRecoveryCode, countRecoveryCodes } from "#server/features/second-factor/codes.ts";
import { hasAnySecondFactor } from "#server/features/second-factor/queries.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { claimantByEmail, type LoginCandidate } from "../queries.ts";
import { attemptPassword, type Client, renewHash } from "./attempt-password.ts";

/** Refusals after a correct password: the second factor is missing or wrong. */
type SecondFactorRefusal = Extract<
  ErrorCode,
  "account/second-factor" | "account/passkey" | "auth/invalid-verification-code"
>;

export type SignedIn = { viewer: Viewer; cookies: string[] };
/** A completed login. `isKept` says whether it has cancelled the pending deletion of the account. */
export type LoggedIn = SignedIn & { isKept: boolean };
/** A refusal that is returned, not thrown within the transaction, so that the audit log keeps its entry. */
export type RefusedSignIn = { refusal: SignInRefusal | SecondFactorRefusal };
type AuditedRefusal = RefusedSignIn["refusal"] | "auth/wrong-password";

/**
 * Logs in. Known and unknown addresses cost exactly one password verification each, and only the correct password
 * reveals the status of the account. The limits only count a wrong password or code as a failure.
 */
export async function signIn(services: Services, input: Credentials, client: Client): Promise<LoggedIn> {
  const problem = credentialsProblem(input);
  if (problem) throw Refusal.of(problem);
  const { database } = services;
  const email = normaliseEmail(input.email);
  const { claimant, isRight, refund } = await attemptPassword(services, email, input.password, client);
  const decision = decideSignIn(claimant.subject, isRight);
  const outcome =
    decision === "accepted"
      ? await database.transaction((tx) => open(services, tx, claimant, { ...input, email }, client))
      : await refuse(database.db, claimant.userId, decision, client.address);
  const refusal = "refusal" in outcome ? outcome.refusal : null;
  if (isRight && refusal !== "auth/invalid-verification-code") await refund();
  if ("refusal" in outcome) throw new Refusal(outcome.refusal);
  await renewHash(services, claimant, input.password, client.address);
  return outcome;
}

export async function refuse<Why extends AuditedRefusal>(
  db: Reader,
  subjectId: string | null,
  refusal: Why,
  address: string,
): Promise<{ refusal: Why }> {
  await recordAudit(db, { action: "sign-in-failed", subjectId, address, detail: { refusal } });
  return { refusal };
}

/** Opens the session if the verified facts still hold, because the verification took some time. */
async function open(
  services: Services,
  tx: Transaction,
  verified: LoginCandidate,
  { email, code = "" }: Credentials,
  client: Client,
): Promise<LoggedIn | RefusedSignIn> {
  const { address } = client;
  const account = verified.userId === null ? null : await lockAccount(tx, verified.userId);
  const current = await claimantByEmail(tx, email);
  const unchanged = current.userId === verified.userId && current.passwordHash === verified.passwordHash;
  const decision = decideSignIn(current.subject, unchanged);
  if (decision !== "accepted") return await refuse(tx, current.userId, decision, address);
  if (!account) return await refuse(tx, null, "auth/invalid-credential", address);

  const actor = { userId: account.id, role: account.role, address };
  const proof = await proveSecondFactor(services, tx, actor, code);
  if ("refusal" in proof) return await refuse(tx, account.id, proof.refusal, address);
  return await openSession(services, tx, account, client, proof);
}

/**
 * Checks the second factor that an account requires besides the password. With an authenticator app that is a code or a
 * recovery code. Refuses an account that must have a second factor and has only passkeys, because it needs a login with
 * a passkey. `twoStep` says whether a second factor was proved besides the password.
 */
export async function proveSecondFactor(
  services: Services,
  tx: Transaction,
  { role, ...actor }: Actor & { role: Role },
  code: string,
): Promise<{ refusal: SecondFactorRefusal } | { twoStep: boolean }> {
  const { environment, secondFactors } = services;
  if (!(await secondFactors.isSetUp(tx, actor.userId))) {
    const isRequired = environment.secondFactorRequired.includes(role);
    const needsPasskey = isRequired && (await hasAnySecondFactor(tx, actor.userId));
    return needsPasskey ? { refusal: "account/passkey" } : { twoStep: false };
  }
  if (code.trim() === "") return { refusal: "account/second-factor" };
  if (await secondFactors.take(tx, actor.userId, code)) return { twoStep: true };
  if (await useRecoveryCode(services, tx, actor, code)) return { twoStep: true };
  await reportWrongCode(services, tx, actor.userId);
  return { refusal: "auth/invalid-verification-code" };
}

async function useRecoveryCode(
  services: Services,
  tx: Transaction,
  actor: Actor,
  code: string,
): Promise<boolean> {
  const { userId } = actor;
  if (!(await consumeRecoveryCode(tx, userId, code))) return false;
  await recordOwn(tx, "recovery-code-used", actor, { left: String(await countRecoveryCodes(tx, userId)) });
  await queueSecurityMail(services, tx, userId, "recovery-code-used");
  return true;
}

/** Opens a session for a user with a proved identity. `detail` tells the audit log how, if not by password. */
export async function openSession(
  services: Services,
  tx: Transaction,
  account: Account,
  client: Client,
  { twoStep, detail = {} }: { twoStep: boolean; detail?: Record<string, string> },
): Promise<LoggedIn> {
  const { id: userId, role } = account;
  const { address } = client;
  const browser = browserName(client.userAgent);
  await reportNewDevice(services, tx, account, { ...client, browser });
  await recordOwn(tx, "sign-in", { userId, address }, detail);
  await tx.update(user).set({ lastLoginAt: new Date() }).where(eq(user.id, userId));
  const isKept = await keepAccount(services, tx, account, address);
  const cookie = await services.sessions.open(tx, userId, {
    brief: role === "admin",
    twoStep,
    client: { ...client, browser },
  });
  const lacksSecondFactor = services.sessions.lacksSecondFactor(role, twoStep);
  const viewer = await viewerById(tx, userId, { lacksSecondFactor });
  if (!viewer) throw new Refusal("not-found", { message: profileNotFound });
  return { viewer, cookies: [cookie, services.signedCookies.devices.create(account)], isKept };
}
