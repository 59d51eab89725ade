import { guides } from "#domain/permission.ts";
import { type Identity, identityOf } from "#domain/profile.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import type { Services } from "#server/services.ts";
import { lockStudent } from "../queries.ts";

/**
 * A student's identity fields for their agent or an admin, with the look's entry in the audit log. Null for everybody else, and where there is no such student.
 */
export async function readIdentity(
  services: Services,
  actor: Actor,
  studentId: string,
): Promise<Identity | null> {
  return await services.database.transaction(async (tx) => {
    const standing = await standingOf(tx, actor.userId);
    const student = await lockStudent(tx, studentId);
    if (!standing || !student || !guides({ ...standing, id: actor.userId }, student)) return null;
    await recordAudit(tx, {
      action: "identity-viewed",
      actorId: actor.userId,
      subjectId: studentId,
      address: actor.address,
    });
    const found = await profileOf(tx, studentId);
    return found && identityOf(found.profile);
  });
}
