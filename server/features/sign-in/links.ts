import { createHash, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { safeNext } from "#domain/area.ts";
import { invitationDays } from "#domain/invitation.ts";
import { isKept, keep, temporaryValue } from "#server/features/account/kept-values.ts";
import { emailChangeLifetime } from "#server/features/account/requested-email.ts";
import { verification } from "#server/features/account/tables.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Grants that a link in a mail, or a printed one, gives its bearer once. */
const grantSchema = z.discriminatedUnion("purpose", [
  z.object({ purpose: z.literal("reset"), userId: z.string() }),
  /** An admin's link, for an address of ADMIN_EMAILS: its bearer becomes an admin with the password that they set. */
  z.object({ purpose: z.literal("admin"), email: z.string() }),
  z.object({ purpose: z.literal("verify"), userId: z.string(), email: z.string() }),
  /**
   * A link that moves the account to the address it was mailed to, as long as the account still has the address `from`
   * and still requests this one (`account/requested-email.ts`).
   */
  z.object({ purpose: z.literal("email"), userId: z.string(), email: z.string(), from: z.string() }),
  /** A link for answering an invitation, which ends with the invitation itself. */
  z.object({ purpose: z.literal("invitation"), invitationId: z.string() }),
]);
export type Grant = z.infer<typeof grantSchema>;

const hour = 60 * 60 * 1000;
/** Milliseconds for which a link of each purpose works. */
const lifetime: Record<Grant["purpose"], number> = {
  reset: hour,
  admin: 24 * hour,
  verify: 7 * 24 * hour,
  email: emailChangeLifetime,
  invitation: invitationDays.open * 24 * hour,
};

const pathOf: Record<Grant["purpose"], string> = {
  reset: "/reset-password",
  admin: "/reset-password",
  verify: "/verify-email",
  email: "/verify-email",
  invitation: "/invitation",
};

/** Equal grants have equal texts, so that all links for one thing can be withdrawn together. */
const textOf = (grant: Grant) => JSON.stringify(grantSchema.parse(grant));
const identifier = (token: string) => createHash("sha256").update(`link:${token}`).digest("base64url");

/** Creates a one-time link, which leads to `next` afterwards. Only the hash of its token is stored. */
export async function createLink(
  { database, environment }: Pick<Services, "database" | "environment">,
  grant: Grant,
  next?: string,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await keep(database.db, identifier(token), textOf(grant), lifetime[grant.purpose]);
  const nextPath = safeNext(next ?? null);
  return `${environment.baseUrl}${pathOf[grant.purpose]}?token=${token}${nextPath === null ? "" : `&next=${encodeURIComponent(nextPath)}`}`;
}

const read = (value: string | null | undefined): Grant | null =>
  value ? grantSchema.parse(JSON.parse(value)) : null;

/** Returns what a link grants, without redeeming it; null if it is unknown, used or expired. */
export async function findLink({ db }: Pick<Database, "db">, token: string): Promise<Grant | null> {
  return read(await temporaryValue(db, identifier(token)));
}

/** Redeems a link in the caller's transaction. Only one of two concurrent callers gets it. */
export async function redeemLink(tx: Transaction, token: string): Promise<Grant | null> {
  const [row] = await tx
    .delete(verification)
    .where(isKept(identifier(token)))
    .returning();
  return read(row?.value);
}

/** Withdraws every link with this grant. */
export async function withdrawLinks(tx: Transaction, grant: Grant): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, textOf(grant)));
}

/** Withdraws every link that sets an account's password, so that a copied one can't undo a new password. */
export async function withdrawPasswordLinks(
  tx: Transaction,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await withdrawLinks(tx, { purpose: "reset", userId: id });
  await withdrawLinks(tx, { purpose: "admin", email });
}
