import type { Identity } from "#domain/profile.ts";
import { requireViewReason } from "#server/features/assignments/commands/look-reason.ts";
import { lockForPapers } from "#server/features/assignments/queries.ts";
import { actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import type { SessionActor } from "#server/features/sessions/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

/**
 * Returns a student's identity fields to their agent or an admin, and audits the view. The contract's output selects
 * the fields from the profile.
 */
export async function readIdentity(
  services: Services,
  actor: SessionActor,
  studentId: string,
): Promise<Identity> {
  return await services.database.transaction(async (tx) => {
    const student = await lockForPapers(tx, actor, studentId);
    const detail = await requireViewReason(tx, actor.session, student);
    await recordAudit(tx, { action: "identity-viewed", ...actedBy(actor), subjectId: studentId, detail });
    const record = await profileOf(tx, studentId);
    if (!record) throw new Refusal("not-found");
    return record.profile;
  });
}
