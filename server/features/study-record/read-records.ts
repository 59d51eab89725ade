import { eq, sql } from "drizzle-orm";
import type { Qualification, StudyRecord, TestResult } from "#domain/study-record.ts";
import { user } from "#server/features/account/tables.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { studyRecord } from "./tables.ts";

const qualifications = sql<Qualification[]>`(
  select coalesce(json_agg(json_build_object('country', country, 'award', award, 'name', name, 'scale', scale,
    'grade', grade, 'year', year, 'subjects', subjects) order by id), '[]')
  from record_qualification where student_id = ${user.id})`;
const tests = sql<TestResult[]>`(
  select coalesce(json_agg(json_build_object('test', test, 'takenOn', taken_on, 'overall', overall,
    'components', components) order by id), '[]')
  from record_test where student_id = ${user.id})`;

/**
 * Returns the records of several students by their ids; a student who has entered nothing has an empty one. Callers
 * must keep their number small, and check that the viewer may see their papers.
 */
export async function recordsOf(
  db: Reader,
  studentIds: readonly string[],
): Promise<Map<string, StudyRecord>> {
  if (studentIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: user.id,
      dateOfBirth: sql<string>`coalesce(${profile.dateOfBirth}::text, '')`,
      workMonths: studyRecord.workMonths,
      qualifications,
      tests,
    })
    .from(user)
    .leftJoin(profile, eq(profile.userId, user.id))
    .leftJoin(studyRecord, eq(studyRecord.studentId, user.id))
    .where(sql`${user.id} = any(${sql.param([...studentIds])}::text[])`);
  return new Map(rows.map(({ id, ...record }) => [id, record]));
}
