import { asc, eq, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { StudyRecord } from "#domain/study-record.ts";
import { user } from "#server/features/account/tables.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { recordQualification, recordTest, studyRecord } from "./tables.ts";

/**
 * Reads the records of several students, by their ids; a student who has entered nothing has an empty one. Whoever calls
 * it sees to it that their number is small and that the viewer may see their papers.
 */
export async function recordsOf(
  db: Reader,
  studentIds: readonly string[],
): Promise<Map<string, StudyRecord>> {
  if (studentIds.length === 0) return new Map();
  const isOne = (column: PgColumn) => sql`${column} = any(${sql.param([...studentIds])}::text[])`;
  const [students, qualifications, tests] = await Promise.all([
    db
      .select({
        id: user.id,
        dateOfBirth: sql<string>`coalesce(${profile.dateOfBirth}::text, '')`,
        workMonths: studyRecord.workMonths,
      })
      .from(user)
      .leftJoin(profile, eq(profile.userId, user.id))
      .leftJoin(studyRecord, eq(studyRecord.studentId, user.id))
      .where(isOne(user.id)),
    db
      .select()
      .from(recordQualification)
      .where(isOne(recordQualification.studentId))
      .orderBy(asc(recordQualification.id)),
    db.select().from(recordTest).where(isOne(recordTest.studentId)).orderBy(asc(recordTest.id)),
  ]);
  const qualificationsOf = Map.groupBy(qualifications, ({ studentId }) => studentId);
  const testsOf = Map.groupBy(tests, ({ studentId }) => studentId);
  return new Map(
    students.map(({ id, ...once }): [string, StudyRecord] => [
      id,
      {
        ...once,
        qualifications: (qualificationsOf.get(id) ?? []).map(
          ({ id: _id, studentId: _studentId, enteredBy: _enteredBy, ...qualification }) => qualification,
        ),
        tests: (testsOf.get(id) ?? []).map(
          ({ id: _id, studentId: _studentId, enteredBy: _enteredBy, ...result }) => result,
        ),
      },
    ]),
  );
}
