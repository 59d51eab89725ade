import type { StudyRecord } from "#domain/study-record.ts";
import type { Reader } from "#server/platform/database.ts";
import { recordsOf } from "./read-records.ts";

/** Returns everything about a student that requirements are compared with. Check the permission first. */
export async function recordOf(db: Reader, studentId: string): Promise<StudyRecord> {
  const records = await recordsOf(db, [studentId]);
  return records.get(studentId) ?? { dateOfBirth: "", workMonths: null, qualifications: [], tests: [] };
}
