import { and, eq } from "drizzle-orm";
import { answerProgramme } from "#domain/eligibility.ts";
import { startDay } from "#domain/programme.ts";
import type { StudyRecord } from "#domain/study-record.ts";
import type { Reader } from "#server/platform/database.ts";
import { groupsOfStudent } from "../chosen.ts";
import { setsOf } from "../entries.ts";
import { programme, programmeIntake } from "../tables.ts";
import { equivalences } from "./for-student.ts";

/** Returns the day for which a programme is judged: its own, or an intake's start; null if there is no such thing. */
async function startOf(db: Reader, programmeId: string, judgedFor: string, intakeId: string | undefined) {
  if (intakeId === undefined) return judgedFor;
  const [intake] = await db
    .select({ year: programmeIntake.year, month: programmeIntake.month })
    .from(programmeIntake)
    .where(and(eq(programmeIntake.id, intakeId), eq(programmeIntake.programmeId, programmeId)));
  return intake ? startDay(intake) : null;
}

/** Compares a student's record with a programme; null if there is no such programme or intake. */
export async function answersOf(
  db: Reader,
  { studentId, record }: { studentId: string; record: StudyRecord },
  { programmeId, intakeId }: { programmeId: string; intakeId?: string | undefined },
) {
  const [row] = await db
    .select({
      institutionId: programme.institutionId,
      judgedFor: programme.judgedFor,
      entryRequirementsId: programme.entryRequirementsId,
    })
    .from(programme)
    .where(eq(programme.id, programmeId));
  const start = row ? await startOf(db, programmeId, row.judgedFor, intakeId) : null;
  if (!row || start === null) return null;
  const { entryRequirementsId } = row;
  const sets = entryRequirementsId === null ? new Map() : await setsOf(db, [entryRequirementsId]);
  const { outcome, sets: answered } = answerProgramme(
    sets.get(entryRequirementsId) ?? [],
    record,
    start,
    await equivalences(db),
  );
  return {
    institutionId: row.institutionId,
    judgedFor: start,
    outcome,
    sets: answered.map((set) => ({
      outcome: set.outcome,
      answers: set.answers.map((answer) =>
        answer.kind === "missing" ? { ...answer, shortfalls: [...answer.shortfalls] } : answer,
      ),
    })),
    groups: await groupsOfStudent(db, studentId),
  };
}
