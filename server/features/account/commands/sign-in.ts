import type { Viewer } from "#contract/account.ts";
import { normaliseEmail } from "#domain/email.ts";
import { type ErrorCode, type Problem, profileNotFound } from "#domain/error-catalogue.ts";
import { type Credentials, credentialsProblem, decideSignIn, type SignInRefusal } from "#domain/sign-in.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { type Claimant, claimantByEmail, standingOf, viewerById } from "../queries.ts";
import type { AccountNews } from "../sessions.ts";
import { attemptPassword, type Client, renewHash } from "./attempt-password.ts";

/** The password was right, and a code is needed as well, or was not right. */
type SecondFactorRefusal = Extract<ErrorCode, "account/second-factor" | "auth/invalid-verification-code">;
type Refused = { kind: "refused"; refusal: SignInRefusal | SecondFactorRefusal };
export type SignInOutcome =
  | { kind: "signedIn"; viewer: Viewer; cookies: string[]; news: AccountNews[] }
  | { kind: "problem"; problem: Problem }
  | Refused
  | { kind: "locked"; retryAfter: number };

/**
 * Login. Known and unknown addresses take the same way with exactly one password verification; only the right
 * password learns what became of the account. A wrong password or code is a failure that the limits count, everything
 * else is not.
 */
export async function signIn(services: Services, input: Credentials, client: Client): Promise<SignInOutcome> {
  const problem = credentialsProblem(input);
  if (problem) return { kind: "problem", problem };
  const { database, sessions } = services;
  const email = normaliseEmail(input.email);
  const attempt = await attemptPassword(services, email, input.password, client);
  if (attempt.kind === "locked") return attempt;

  const { claimant, isRight } = attempt;
  const decision = decideSignIn(claimant.subject, isRight);
  const outcome =
    decision === "accepted"
      ? await database.transaction((tx) => open(services, tx, claimant, { ...input, email }, client))
      : await refuse(database.db, claimant.userId, decision, client.address);
  const isGuess =
    !isRight || (outcome.kind === "refused" && outcome.refusal === "auth/invalid-verification-code");
  if (!isGuess) await attempt.refund();
  if (outcome.kind === "signedIn") {
    sessions.forget(...outcome.news);
    await renewHash(services, claimant, input.password);
  }
  return outcome;
}

async function refuse(
  db: Reader,
  subjectId: string | null,
  refusal: Refused["refusal"],
  address: string,
): Promise<Refused> {
  await recordAudit(db, { action: "sign-in-failed", subjectId, address, detail: { refusal } });
  return { kind: "refused", refusal };
}

/** Opens the session if what was verified still holds: the verification took its time. */
async function open(
  services: Services,
  tx: Transaction,
  verified: Claimant,
  { email, code = "" }: Credentials,
  { address, session }: Client,
): Promise<SignInOutcome> {
  const standing = verified.userId === null ? null : await standingOf(tx, verified.userId);
  const now = await claimantByEmail(tx, email);
  const unchanged = now.userId === verified.userId && now.passwordHash === verified.passwordHash;
  const decision = decideSignIn(now.subject, unchanged);
  if (decision !== "accepted") return await refuse(tx, now.userId, decision, address);
  if (now.userId === null || standing === null)
    return await refuse(tx, null, "auth/invalid-credential", address);

  const isAdmin = standing.role === "admin";
  const lacking = isAdmin ? await lackingSecondFactor(services, tx, now.userId, code) : null;
  if (lacking) return await refuse(tx, now.userId, lacking, address);
  await recordAudit(tx, { action: "sign-in", actorId: now.userId, subjectId: now.userId, address });
  const { cookie, news } = await services.sessions.open(tx, now.userId, { brief: isAdmin, former: session });
  const viewer = await viewerById(tx, now.userId);
  if (!viewer) return { kind: "problem", problem: { code: "not-found", message: profileNotFound } };
  const cookies = [cookie, services.identity.devices.create(email)];
  return { kind: "signedIn", viewer, cookies, news };
}

async function lackingSecondFactor(
  { environment, secondFactors }: Services,
  tx: Transaction,
  userId: string,
  code: string,
): Promise<SecondFactorRefusal | null> {
  if (!environment.adminSecondFactor) return null;
  if (code.trim() === "") return "account/second-factor";
  return (await secondFactors.take(tx, userId, code)) ? null : "auth/invalid-verification-code";
}
