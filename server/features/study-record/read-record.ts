import { asc, eq } from "drizzle-orm";
import type { StudyRecord } from "#domain/study-record.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { recordQualification, recordTest, studyRecord } from "./tables.ts";

/** Reads everything of a student that requirements are compared with. */
export async function recordOf(db: Reader, studentId: string): Promise<StudyRecord> {
  const [person] = await db
    .select({ dateOfBirth: profile.dateOfBirth })
    .from(profile)
    .where(eq(profile.userId, studentId));
  const [once] = await db
    .select({ workMonths: studyRecord.workMonths })
    .from(studyRecord)
    .where(eq(studyRecord.studentId, studentId));
  const qualifications = await db
    .select({
      country: recordQualification.country,
      award: recordQualification.award,
      name: recordQualification.name,
      scale: recordQualification.scale,
      grade: recordQualification.grade,
      year: recordQualification.year,
      subjects: recordQualification.subjects,
    })
    .from(recordQualification)
    .where(eq(recordQualification.studentId, studentId))
    .orderBy(asc(recordQualification.id));
  const tests = await db
    .select({
      test: recordTest.test,
      takenOn: recordTest.takenOn,
      overall: recordTest.overall,
      components: recordTest.components,
    })
    .from(recordTest)
    .where(eq(recordTest.studentId, studentId))
    .orderBy(asc(recordTest.id));
  return {
    dateOfBirth: person?.dateOfBirth ?? "",
    workMonths: once?.workMonths ?? null,
    qualifications,
    tests,
  };
}
