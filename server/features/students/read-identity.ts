import type { Identity } from "#domain/profile.ts";
import { lockForResponsible } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/**
 * Returns a student's identity fields to their agent or an admin, and records the view in the audit log. The contract's
 * output picks the fields out of the profile.
 */
export async function readIdentity(services: Services, actor: Actor, studentId: string): Promise<Identity> {
  return await services.database.transaction(async (tx) => {
    await lockForResponsible(tx, actor, studentId);
    await recordAudit(tx, { action: "identity-viewed", ...actedBy(actor), subjectId: studentId });
    const record = await profileOf(tx, studentId);
    if (!record) throw new Refusal("not-found");
    return record.profile;
  });
}
