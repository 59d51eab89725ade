import { eq } from "drizzle-orm";
import { recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { user } from "../tables.ts";

/** Records that the account's holder reads the mailbox of its email address. The caller has locked the account. */
export async function confirmAddress(services: Services, tx: Transaction, userId: string): Promise<void> {
  await tx.update(user).set({ emailVerified: true, updatedAt: new Date() }).where(eq(user.id, userId));
  await recordAudit(tx, { action: "email-verified", actorId: userId, subjectId: userId });
  await publishVerified(services, tx, userId);
}

export async function publishVerified(
  { sessions, live }: Services,
  tx: Transaction,
  userId: string,
): Promise<void> {
  await sessions.changed(tx, userId);
  // Reloads the admin's agent cards, which show whether an address is verified.
  await live.publish("agents", "{}", tx);
}
