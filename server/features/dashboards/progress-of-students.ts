import { eq, sql } from "drizzle-orm";
import type { StudentRow } from "#contract/students.ts";
import { countsAsUploaded, type ProgressField, progressOf } from "#domain/progress.ts";
import { user } from "#server/features/account/tables.ts";
import { currentDocuments, statesOf } from "#server/features/documents/queries.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";

/** The twelve fields that count, of `user` joined with `profile`. */
export const countedFields = {
  firstName: user.firstName,
  lastName: user.lastName,
  email: user.email,
  phoneNumber: user.phone,
  country: user.country,
  dateOfBirth: profile.dateOfBirth,
  citizenship: profile.citizenship,
  gender: profile.gender,
  addressLine1: profile.addressLine1,
  city: profile.city,
  state: profile.state,
  postalCode: profile.postalCode,
};
type Found = Record<ProgressField, string | null>;

/** The same for counting; without a profile what stands in it is empty. */
export const counted = (found: Found): Record<ProgressField, string> => ({
  firstName: found.firstName ?? "",
  lastName: found.lastName ?? "",
  email: found.email ?? "",
  phoneNumber: found.phoneNumber ?? "",
  country: found.country ?? "",
  dateOfBirth: found.dateOfBirth ?? "",
  citizenship: found.citizenship ?? "",
  gender: found.gender ?? "",
  addressLine1: found.addressLine1 ?? "",
  city: found.city ?? "",
  state: found.state ?? "",
  postalCode: found.postalCode ?? "",
});

type HowFar = Pick<StudentRow, "progress" | "documents">;
type Slot = Awaited<ReturnType<typeof currentDocuments>>[number];

function howFar(found: Found, slots: readonly Slot[]): HowFar {
  return {
    progress: progressOf(counted(found), statesOf(slots)),
    documents: {
      uploaded: slots.filter(({ state }) => countsAsUploaded(state)).length,
      toReview: slots.filter(({ state }) => state === "uploaded").length,
    },
  };
}

/** How far these students have come, by their ids. The fields are counted here and go no further. */
export async function progressOfStudents(db: Reader, ids: string[]): Promise<Map<string, HowFar>> {
  const [students, slots] = await Promise.all([
    db
      .select({ id: user.id, ...countedFields })
      .from(user)
      .leftJoin(profile, eq(profile.userId, user.id))
      .where(sql`${user.id} = any(${sql.param(ids)})`),
    currentDocuments(db, ids),
  ]);
  const slotsOf = Map.groupBy(slots, ({ studentId }) => studentId);
  return new Map(students.map((found) => [found.id, howFar(found, slotsOf.get(found.id) ?? [])]));
}
