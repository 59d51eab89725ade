import { termsVersion } from "#domain/account.ts";
import { browserName } from "#domain/browser-name.ts";
import { countryCodeOf } from "#domain/country.ts";
import { checkSignUp, type SignUp, type SignUpForm } from "#domain/sign-up.ts";
import { requireAllowance } from "#server/features/account/allowance.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { viewerById } from "#server/features/account/queries.ts";
import { recordOwn } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { queueMail } from "#server/platform/mail-queue.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { isCommonPassword } from "../common-passwords.ts";
import { verificationMail } from "../mails.ts";
import { isDenied, isTakenAddress } from "../queries.ts";
import type { Client } from "./attempt-password.ts";
import type { SignedIn } from "./sign-in.ts";

class EmailInUse extends Refusal {
  constructor() {
    super("auth/email-already-in-use", { field: "email" });
  }
}

/** Work that belongs to the new account and happens in its transaction. */
type ExtraWork = (tx: Transaction, userId: string) => Promise<void>;

/** Signs up a user. Account, audit entry, mail, session and `extraWork` are one transaction. */
export async function signUp(
  services: Services,
  { next, ...form }: SignUpForm & { next?: string | undefined },
  client: Client,
  extraWork: ExtraWork = async () => {},
): Promise<SignedIn> {
  const { environment, limits, passwords, database } = services;
  const account = checkSignUp(form, { minLength: environment.passwordMinLength, isCommon: isCommonPassword });
  if ("code" in account) throw Refusal.of(account);
  const allowance = requireAllowance(await limits.signUp(client.address), "auth/too-many-requests");
  // Admins' addresses are looked up like any other, so that the response time does not give them away.
  const isTaken = await isTakenAddress(database.db, account.email);
  if (isTaken || environment.adminEmails.includes(account.email)) throw new EmailInUse();
  try {
    // Hashing takes long, so it is done before a connection is held for the transaction.
    const hash = await passwords.hash(account.password, {
      address: client.address,
      isKnown: false,
    });
    return await database.transaction((tx) =>
      store(services, tx, account, hash, { ...client, next, extraWork }),
    );
  } catch (error) {
    if (error instanceof EmailInUse || isUniqueViolation(error)) throw new EmailInUse();
    // Hashing failed or too many were waiting, so nobody was signed up.
    await allowance.cancel();
    throw error;
  }
}

async function store(
  services: Services,
  tx: Transaction,
  account: SignUp,
  passwordHash: string,
  { next, extraWork, ...client }: Client & { next: string | undefined; extraWork: ExtraWork },
): Promise<SignedIn> {
  const { role, email, firstName, lastName, phone, agency } = account;
  const country = countryCodeOf(account.country);
  const status = role === "agent" ? "pending" : "active";
  const profile = { role, status, email, firstName, lastName, phone, agency, country, termsVersion } as const;
  const userId = await createAccount(tx, profile, passwordHash);
  if (await isDenied(tx, email)) throw new EmailInUse();
  await recordOwn(tx, "sign-up", { userId, address: client.address });
  await extraWork(tx, userId);
  await queueMail(services.jobs, tx, verificationMail, { userId, next });
  if (role === "agent") await services.live.publish("agents", "{}", tx);
  else await broadcastDashboards(services, tx, "students", userId);
  const browser = browserName(client.userAgent);
  const cookie = await services.sessions.open(tx, userId, { client: { ...client, browser } });
  const lacksSecondFactor = services.sessions.lacksSecondFactor(role, false);
  const viewer = await viewerById(tx, userId, { lacksSecondFactor });
  if (!viewer) throw new Error("the new account can't be read");
  // This comes last, because other agents who sign up wait from here to the end of the transaction.
  await services.accountEvents.signedUp(services, tx, viewer);
  return { viewer, cookies: [cookie, services.signedCookies.devices.create({ email, browserEpoch: 0 })] };
}
