import { eq } from "drizzle-orm";
import { guides } from "#domain/permission.ts";
import type { identityFields } from "#domain/profile.ts";
import { standingOf } from "#server/features/account/queries.ts";
import { type Actor, recordAudit } from "#server/features/audit/commands.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { lockStudent } from "../queries.ts";
import { profile } from "../tables.ts";

type Identity = Record<(typeof identityFields)[number], string>;

/**
 * A student's identity fields for their agent or an admin, with the look's entry in the audit log (product
 * decisions, "Who sees what"). Null for everybody else, and where there is no such student.
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
    return await identityOf(tx, studentId);
  });
}

async function identityOf(tx: Transaction, studentId: string): Promise<Identity> {
  const [found] = await tx
    .select({
      dateOfBirth: profile.dateOfBirth,
      idNumber: profile.idNumber,
      passportNumber: profile.passportNumber,
      passportExpiry: profile.passportExpiry,
      addressLine1: profile.addressLine1,
      addressLine2: profile.addressLine2,
      city: profile.city,
      state: profile.state,
      postalCode: profile.postalCode,
    })
    .from(profile)
    .where(eq(profile.userId, studentId));
  return {
    dateOfBirth: found?.dateOfBirth ?? "",
    idNumber: found?.idNumber ?? "",
    passportNumber: found?.passportNumber ?? "",
    passportExpiry: found?.passportExpiry ?? "",
    addressLine1: found?.addressLine1 ?? "",
    addressLine2: found?.addressLine2 ?? "",
    city: found?.city ?? "",
    state: found?.state ?? "",
    postalCode: found?.postalCode ?? "",
  };
}
