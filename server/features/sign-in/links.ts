import { createHash, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { safeNext } from "#domain/area.ts";
import { invitationDays } from "#domain/invitation.ts";
import { emailChangeLifetime } from "#server/features/account/asked-email.ts";
import { isKept, keep, keptValue } from "#server/features/account/kept-values.ts";
import { verification } from "#server/features/account/tables.ts";
import type { Database, Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";

/** Grants that a link in a mail, or a printed one, gives its bearer once. */
const grant = z.discriminatedUnion("purpose", [
  z.object({ purpose: z.literal("reset"), userId: z.string() }),
  /** An admin's link, for an address of ADMIN_EMAILS: its bearer becomes an admin with the password that they set. */
  z.object({ purpose: z.literal("admin"), email: z.string() }),
  z.object({ purpose: z.literal("verify"), userId: z.string(), email: z.string() }),
  /**
   * A link that moves the account to the address it was mailed to, as long as the account still has the address `from`
   * and asks for this one (`account/asked-email.ts`).
   */
  z.object({ purpose: z.literal("email"), userId: z.string(), email: z.string(), from: z.string() }),
  /** The answer to an invitation, which ends with the invitation itself. */
  z.object({ purpose: z.literal("invitation"), invitationId: z.string() }),
]);
export type Grant = z.infer<typeof grant>;

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
const textOf = (of: Grant) => JSON.stringify(grant.parse(of));
const identifier = (token: string) => createHash("sha256").update(`link:${token}`).digest("base64url");

/** Makes a one-time link, which leads on to `next` afterwards; only the hash of its token is kept. */
export async function createLink(
  { database, environment }: Pick<Services, "database" | "environment">,
  of: Grant,
  next?: string,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await keep(database.db, identifier(token), textOf(of), lifetime[of.purpose]);
  const wayOn = safeNext(next ?? null);
  return `${environment.baseUrl}${pathOf[of.purpose]}?token=${token}${wayOn === null ? "" : `&next=${encodeURIComponent(wayOn)}`}`;
}

const read = (value: string | null | undefined): Grant | null =>
  value ? grant.parse(JSON.parse(value)) : null;

/** Reads what a link grants, without using it up; null when it is unknown, used or too old. */
export async function findLink({ db }: Pick<Database, "db">, token: string): Promise<Grant | null> {
  return read(await keptValue(db, identifier(token)));
}

/** Uses a link up, in the caller's transaction. Only one of two concurrent callers gets it. */
export async function redeemLink(tx: Transaction, token: string): Promise<Grant | null> {
  const [row] = await tx
    .delete(verification)
    .where(isKept(identifier(token)))
    .returning();
  return read(row?.value);
}

/** Withdraws every link with this grant. */
export async function withdrawLinks(tx: Transaction, of: Grant): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, textOf(of)));
}

/** Withdraws every link that sets an account's password: whoever copied one must not undo a new password. */
export async function withdrawPasswordLinks(
  tx: Transaction,
  { id, email }: { id: string; email: string },
): Promise<void> {
  await withdrawLinks(tx, { purpose: "reset", userId: id });
  await withdrawLinks(tx, { purpose: "admin", email });
}
