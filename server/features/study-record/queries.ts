import { desc, eq } from "drizzle-orm";
import { lastStartFor, usualTestYears } from "#domain/english-test.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { recordQualification, recordTest, studyRecord } from "./tables.ts";

type EntryAuthor = {
  enteredBy: string | null;
  studentId: string;
  name: string | null;
  agency: string | null;
};

/** Returns the author of an entry on the student's behalf; null for the student's own entries. */
const authorOf = ({ enteredBy, studentId, name, agency }: EntryAuthor) =>
  enteredBy === null || enteredBy === studentId ? null : { name, agency: agency ?? "" };

const authorColumns = { name: user.name, agency: user.agency };

/** Returns a student's record for display, latest entries first. Check the permission and audit the view first. */
export async function shownRecord(db: Reader, studentId: string) {
  const [work] = await db
    .select({ workMonths: studyRecord.workMonths })
    .from(studyRecord)
    .where(eq(studyRecord.studentId, studentId));
  const qualifications = await db
    .select({ row: recordQualification, ...authorColumns })
    .from(recordQualification)
    .leftJoin(user, eq(user.id, recordQualification.enteredBy))
    .where(eq(recordQualification.studentId, studentId))
    .orderBy(desc(recordQualification.year), recordQualification.id);
  const tests = await db
    .select({ row: recordTest, ...authorColumns })
    .from(recordTest)
    .leftJoin(user, eq(user.id, recordTest.enteredBy))
    .where(eq(recordTest.studentId, studentId))
    .orderBy(desc(recordTest.takenOn), recordTest.id);
  return {
    workMonths: work?.workMonths ?? null,
    qualifications: qualifications.map(({ row, ...author }) => ({
      ...row,
      enteredBy: authorOf({ ...row, ...author }),
    })),
    tests: tests.map(({ row, ...author }) => ({
      ...row,
      expires: lastStartFor(row.takenOn, usualTestYears),
      enteredBy: authorOf({ ...row, ...author }),
    })),
  };
}
