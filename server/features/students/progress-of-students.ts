import { eq, sql } from "drizzle-orm";
import type { StudentRow } from "#contract/students.ts";
import { countsAsUploaded, type ProgressField, progressOf } from "#domain/progress.ts";
import { user } from "#server/features/account/tables.ts";
import { currentDocuments, statesOf } from "#server/features/documents/queries.ts";
import { countedColumns } from "#server/features/profile/queries.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";

type ProgressOfStudent = Pick<StudentRow, "progress" | "documents">;
type Slot = Awaited<ReturnType<typeof currentDocuments>>[number];

function progressOfStudent(fields: Record<ProgressField, string>, slots: readonly Slot[]): ProgressOfStudent {
  return {
    progress: progressOf(fields, statesOf(slots)),
    documents: {
      uploaded: slots.filter(({ state }) => countsAsUploaded(state)).length,
      toReview: slots.filter(({ state }) => state === "uploaded").length,
    },
  };
}

/** Returns the progress of these students by their ids. Only counts the fields, and does not return them. */
export async function progressOfStudents(db: Reader, ids: string[]): Promise<Map<string, ProgressOfStudent>> {
  const [students, slots] = await Promise.all([
    db
      .select({ id: user.id, ...countedColumns })
      .from(user)
      .leftJoin(profile, eq(profile.userId, user.id))
      .where(sql`${user.id} = any(${sql.param(ids)})`),
    currentDocuments(db, ids),
  ]);
  const slotsOf = Map.groupBy(slots, ({ studentId }) => studentId);
  return new Map(
    students.map((student) => [student.id, progressOfStudent(student, slotsOf.get(student.id) ?? [])]),
  );
}
