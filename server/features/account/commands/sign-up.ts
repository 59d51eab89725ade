import { eq } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import { termsVersion } from "#domain/account.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { checkSignUp, type SignUp, type SignUpForm } from "#domain/sign-up.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { touchDesks } from "#server/features/notifications/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { verificationMail } from "../mails.ts";
import { viewerById } from "../queries.ts";
import { deniedAgent } from "../tables.ts";
import { createAccount } from "./create-account.ts";

export type SignUpOutcome =
  | { kind: "signedUp"; viewer: Viewer; cookies: string[] }
  | { kind: "problem"; problem: Problem }
  | { kind: "emailInUse" }
  | { kind: "locked"; retryAfter: number };

/** Rolls the sign-up back: the address belongs to a denied agent. */
class AddressIsTaken extends Error {}

/** An agent's agency and the change's audit and mail are one transaction with the account (spec 4, 5; product "Denied"). */
export async function signUp(services: Services, form: SignUpForm, address: string): Promise<SignUpOutcome> {
  const { environment, limits, identity } = services;
  const checked = checkSignUp(form, { minLength: environment.passwordMinLength, isCommon: isCommonPassword });
  if ("code" in checked) return { kind: "problem", problem: checked };
  if (environment.adminEmails.includes(checked.email)) return { kind: "emailInUse" };
  const allowance = await limits.signUp(address);
  if (allowance.kind === "locked") return allowance;
  // Hashing takes long: it is done before a connection is held for the transaction.
  const passwordHash = await identity.passwords.hash(checked.password);
  try {
    return await services.database.transaction((tx) => store(services, tx, checked, passwordHash, address));
  } catch (error) {
    if (error instanceof AddressIsTaken || isUniqueViolation(error)) return { kind: "emailInUse" };
    throw error;
  }
}

async function store(
  services: Services,
  tx: Transaction,
  checked: SignUp,
  passwordHash: string,
  address: string,
): Promise<SignUpOutcome> {
  const { role, email, firstName, lastName, phone, agency, country } = checked;
  const status = role === "agent" ? "pending" : "active";
  const profile = { role, status, email, firstName, lastName, phone, agency, country, termsVersion } as const;
  const userId = await createAccount(tx, profile, passwordHash);
  // Looked for only now: a denial that was under way has held the unique address until it was decided.
  const [denied] = await tx
    .select({ id: deniedAgent.id })
    .from(deniedAgent)
    .where(eq(deniedAgent.email, email));
  if (denied) throw new AddressIsTaken();
  await recordAudit(tx, { action: "sign-up", actorId: userId, subjectId: userId, address });
  await queueMail(services.jobs, tx, verificationMail, { userId });
  if (role === "agent") await services.live.publish("agents", "{}", tx);
  else await touchDesks(services, tx, userId);
  const cookies = await services.identity.openSession(userId, false);
  const viewer = await viewerById(tx, userId);
  if (!viewer) throw new Error("the new account can't be read");
  return { kind: "signedUp", viewer, cookies };
}
