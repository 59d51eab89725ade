import { eq } from "drizzle-orm";
import type { Viewer } from "#contract/account.ts";
import { termsVersion } from "#domain/account.ts";
import { countryTyped } from "#domain/country.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { checkSignUp, type SignUp, type SignUpForm } from "#domain/sign-up.ts";
import { tellOfApplicant } from "#server/features/agents/applicants.ts";
import { recordAudit } from "#server/features/audit/commands.ts";
import { touchDesks } from "#server/features/notifications/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import type { Services } from "#server/services.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { verificationMail } from "../mails.ts";
import { isTakenAddress, viewerById } from "../queries.ts";
import type { AccountNews } from "../sessions.ts";
import { deniedAgent } from "../tables.ts";
import type { Client } from "./attempt-password.ts";
import { createAccount } from "./create-account.ts";

export type SignUpOutcome =
  | { kind: "signedUp"; viewer: Viewer; cookies: string[]; news: AccountNews[] }
  | { kind: "problem"; problem: Problem }
  | { kind: "emailInUse" }
  | { kind: "locked"; retryAfter: number };

/** Rolls the sign-up back: the address belongs to a denied agent. */
class AddressIsTaken extends Error {}

/** Account, audit, mail and session are one transaction. */
export async function signUp(
  services: Services,
  { next, ...form }: SignUpForm & { next?: string | undefined },
  client: Client,
): Promise<SignUpOutcome> {
  const { environment, limits, identity, database, sessions } = services;
  const checked = checkSignUp(form, { minLength: environment.passwordMinLength, isCommon: isCommonPassword });
  if ("code" in checked) return { kind: "problem", problem: checked };
  const allowance = await limits.signUp(client.address);
  if (allowance.kind === "locked") return allowance;
  // An admin's address is looked up like any other, so that the time does not tell it from an account's.
  const isTaken = await isTakenAddress(database.db, checked.email);
  if (isTaken || environment.adminEmails.includes(checked.email)) return { kind: "emailInUse" };
  try {
    // Hashing takes long: it is done before a connection is held for the transaction.
    const hash = await identity.passwords.hash(checked.password);
    const signedUp = await database.transaction((tx) =>
      store(services, tx, checked, hash, { ...client, next }),
    );
    sessions.forget(...signedUp.news);
    return signedUp;
  } catch (error) {
    if (error instanceof AddressIsTaken || isUniqueViolation(error)) return { kind: "emailInUse" };
    // Too many are waiting, or it failed: nobody was signed up.
    await allowance.refund();
    throw error;
  }
}

async function store(
  services: Services,
  tx: Transaction,
  checked: SignUp,
  passwordHash: string,
  { address, session, next }: Client & { next: string | undefined },
): Promise<Extract<SignUpOutcome, { kind: "signedUp" }>> {
  const { role, email, firstName, lastName, phone, agency } = checked;
  const country = countryTyped(checked.country);
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
  await queueMail(services.jobs, tx, verificationMail, { userId, next });
  if (role === "agent") await services.live.publish("agents", "{}", tx);
  else await touchDesks(services, tx, userId);
  const { cookie, news } = await services.sessions.open(tx, userId, { former: session });
  const viewer = await viewerById(tx, userId);
  if (!viewer) throw new Error("the new account can't be read");
  const cookies = [cookie, services.identity.devices.create(email)];
  // Last, since other agents who sign up wait from here on to the end of the transaction.
  if (role === "agent") await tellOfApplicant(services, tx, viewer);
  return { kind: "signedUp", viewer, cookies, news };
}
