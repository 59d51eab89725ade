import type { Viewer } from "#contract/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { profileNotFound } from "#domain/error-catalogue.ts";
import { type Credentials, credentialsProblem, decideSignIn, type SignInRefusal } from "#domain/sign-in.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { type Claimant, claimantByEmail, viewerById } from "../queries.ts";
import { noticeNewDevice } from "../security-mails.ts";
import type { Session } from "../sessions.ts";
import { attemptPassword, type Client, renewHash } from "./attempt-password.ts";
import { lackingSecondFactor, type SecondFactorRefusal } from "./lacking-second-factor.ts";
import { type Login, lockForLogin, noteLogin } from "./note-login.ts";

export type SignedIn = { viewer: Viewer; cookies: string[] };
/** Returned and not thrown within the transaction, so that its entry in the audit log is kept. */
export type Refused = { refusal: SignInRefusal | SecondFactorRefusal };

/**
 * Login. Known and unknown addresses take the same way with exactly one password verification; only the right
 * password learns what became of the account. A wrong password or code is a failure that the limits count, everything
 * else is not.
 */
export async function signIn(services: Services, input: Credentials, client: Client): Promise<SignedIn> {
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
  await renewHash(services, claimant, input.password);
  return outcome;
}

export async function refuse(
  db: Reader,
  subjectId: string | null,
  refusal: Refused["refusal"],
  address: string,
): Promise<Refused> {
  await recordAudit(db, { action: "sign-in-failed", subjectId, address, detail: { refusal } });
  return { refusal };
}

/** Opens the session if what was verified still holds: the verification took its time. */
async function open(
  services: Services,
  tx: Transaction,
  verified: Claimant,
  { email, code = "" }: Credentials,
  client: Client,
): Promise<SignedIn | Refused> {
  const { address } = client;
  const status = verified.userId === null ? null : await lockForLogin(tx, verified.userId);
  const now = await claimantByEmail(tx, email);
  const unchanged = now.userId === verified.userId && now.passwordHash === verified.passwordHash;
  const decision = decideSignIn(now.subject, unchanged);
  if (decision !== "accepted") return await refuse(tx, now.userId, decision, address);
  if (now.userId === null || status === null)
    return await refuse(tx, null, "auth/invalid-credential", address);

  const who = { userId: now.userId, role: status.role, address };
  const lacking = await lackingSecondFactor(services, tx, who, code);
  if (lacking) return await refuse(tx, now.userId, lacking, address);
  return await openSession(services, tx, { ...status, email }, client);
}

/** Lets somebody in who has proved who they are. `detail`: how, if not by the password. */
export async function openSession(
  services: Services,
  tx: Transaction,
  account: Login & { email: string },
  client: Client,
  detail: Record<string, string> = {},
): Promise<SignedIn> {
  const { id: userId, email } = account;
  const { address } = client;
  await noticeNewDevice(services, tx, { userId, email }, client);
  await recordAudit(tx, { action: "sign-in", actorId: userId, subjectId: userId, address, detail });
  await noteLogin(services, tx, account, address);
  const cookie = await services.sessions.open(tx, userId, { brief: account.role === "admin", client });
  const viewer = await viewerById(services, tx, userId);
  if (!viewer) throw new Refusal("not-found", { message: profileNotFound });
  return { viewer, cookies: [cookie, services.identity.devices.create(email)] };
}

/** Ends one session on every node; its streams end too. */
export async function signOut(
  { database, sessions }: Services,
  current: Session,
  address: string,
): Promise<void> {
  const { userId } = current;
  await database.transaction(async (tx) => {
    await recordAudit(tx, { action: "sign-out", actorId: userId, subjectId: userId, address });
    await sessions.end(tx, current);
  });
}

/** Ends another session of the account, which then is as good as logged out; one that has ended already is no error. */
export async function signOutDevice(
  { database, sessions }: Services,
  { userId }: Session,
  id: string,
  address: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await sessions.end(tx, { id, userId })) === 0) return;
    const entry = { action: "sign-out", actorId: userId, subjectId: userId, address } as const;
    await recordAudit(tx, { ...entry, detail: { elsewhere: "1" } });
  });
}

/** Ends all sessions of the account but the one that asks. */
export async function signOutOthers(
  { database, sessions }: Services,
  current: Session,
  address: string,
): Promise<void> {
  const { userId } = current;
  await database.transaction(async (tx) => {
    const elsewhere = await sessions.endOthers(tx, current);
    if (elsewhere === 0) return;
    await recordAudit(tx, {
      action: "sign-out",
      actorId: userId,
      subjectId: userId,
      address,
      detail: { elsewhere: String(elsewhere) },
    });
  });
}
