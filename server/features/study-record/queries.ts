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

/** Names whoever entered something in the student's place; null for the student's own entries. */
const marked = ({ enteredBy, studentId, name, agency }: EntryAuthor) =>
  enteredBy === null || enteredBy === studentId ? null : { name, agency: agency ?? "" };

const whoEntered = { name: user.name, agency: user.agency };

/** Reads a student's record as it is shown, the latest first. Check the permission and record the look before. */
export async function shownRecord(db: Reader, studentId: string) {
  const [once] = await db
    .select({ workMonths: studyRecord.workMonths })
    .from(studyRecord)
    .where(eq(studyRecord.studentId, studentId));
  const qualifications = await db
    .select({ row: recordQualification, ...whoEntered })
    .from(recordQualification)
    .leftJoin(user, eq(user.id, recordQualification.enteredBy))
    .where(eq(recordQualification.studentId, studentId))
    .orderBy(desc(recordQualification.year), recordQualification.id);
  const tests = await db
    .select({ row: recordTest, ...whoEntered })
    .from(recordTest)
    .leftJoin(user, eq(user.id, recordTest.enteredBy))
    .where(eq(recordTest.studentId, studentId))
    .orderBy(desc(recordTest.takenOn), recordTest.id);
  return {
    workMonths: once?.workMonths ?? null,
    qualifications: qualifications.map(({ row, ...who }) => ({
      ...row,
      enteredBy: marked({ ...row, ...who }),
    })),
    tests: tests.map(({ row, ...who }) => ({
      ...row,
      expires: lastStartFor(row.takenOn, usualTestYears),
      enteredBy: marked({ ...row, ...who }),
    })),
  };
}
