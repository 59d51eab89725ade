import type { Viewer } from "#contract/account.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { normaliseEmail } from "#domain/email.ts";
import { type Credentials, credentialsProblem, decideSignIn, type SignInRefusal } from "#domain/sign-in.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { type Claimant, claimantByEmail, standingOf, viewerById } from "../queries.ts";

export type SignInOutcome =
  | { kind: "signedIn"; viewer: Viewer; cookies: string[] }
  | { kind: "problem"; problem: Problem }
  | { kind: "refused"; refusal: SignInRefusal }
  | { kind: "locked"; retryAfter: number };

/**
 * Login (spec 4, 5). Known and unknown addresses take the same way with exactly one password verification; only
 * the right password learns what became of the account.
 */
export async function signIn(
  services: Services,
  input: Credentials,
  address: string,
): Promise<SignInOutcome> {
  const problem = credentialsProblem(input);
  if (problem) return { kind: "problem", problem };
  const { database, identity, limits } = services;
  const email = normaliseEmail(input.email);
  const allowance = await limits.signIn(email, address);
  if (allowance.kind === "locked") return allowance;

  const claimant = await claimantByEmail(database.db, email);
  const right = await identity.isRightPassword(claimant.passwordHash, input.password);
  if (right) await allowance.refund();
  const decision = decideSignIn(claimant.subject, right);
  if (decision !== "accepted") return await refuse(services, claimant, decision, address);
  return await database.transaction((tx) => open(services, tx, claimant, email, address));
}

async function refuse(
  { database }: Services,
  { userId }: Claimant,
  refusal: SignInRefusal,
  address: string,
): Promise<SignInOutcome> {
  await recordAudit(database.db, {
    action: "sign-in-failed",
    subjectId: userId,
    address,
    detail: { refusal },
  });
  return { kind: "refused", refusal };
}

/** Opens the session if what was verified still holds: the verification took its time. */
async function open(
  { identity }: Services,
  tx: Transaction,
  verified: Claimant,
  email: string,
  address: string,
): Promise<SignInOutcome> {
  const standing = verified.userId === null ? null : await standingOf(tx, verified.userId);
  const now = await claimantByEmail(tx, email);
  const unchanged = now.userId === verified.userId && now.passwordHash === verified.passwordHash;
  const decision = decideSignIn(now.subject, unchanged);
  if (decision !== "accepted" || now.userId === null || standing === null)
    return { kind: "refused", refusal: decision === "accepted" ? "auth/invalid-credential" : decision };
  await recordAudit(tx, { action: "sign-in", actorId: now.userId, subjectId: now.userId, address });
  const cookies = await identity.openSession(now.userId, standing.role === "admin");
  const viewer = await viewerById(tx, now.userId);
  if (!viewer) throw new Error("the account can't be read");
  return { kind: "signedIn", viewer, cookies };
}
