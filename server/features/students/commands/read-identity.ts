import { isResponsibleFor } from "#domain/permission.ts";
import type { Identity } from "#domain/profile.ts";
import { lockStatus } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import { profileOf } from "#server/features/profile/queries.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { lockStudent } from "../queries.ts";

/**
 * A student's identity fields for their agent or an admin, with the look's entry in the audit log; the contract's output
 * takes them out of the profile.
 */
export async function readIdentity(services: Services, actor: Actor, studentId: string): Promise<Identity> {
  return await services.database.transaction(async (tx) => {
    const status = await lockStatus(tx, actor.userId);
    const student = await lockStudent(tx, studentId);
    if (!status || !student || !isResponsibleFor({ ...status, id: actor.userId }, student))
      throw new Refusal("not-found");
    await recordAudit(tx, {
      action: "identity-viewed",
      actorId: actor.userId,
      subjectId: studentId,
      address: actor.address,
    });
    const found = await profileOf(tx, studentId);
    if (!found) throw new Refusal("not-found");
    return found.profile;
  });
}
