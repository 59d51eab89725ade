import { eq } from "drizzle-orm";
import { answerProgramme } from "#domain/eligibility.ts";
import type { StudyRecord } from "#domain/study-record.ts";
import type { Reader } from "#server/platform/database.ts";
import { groupsOfStudent } from "../chosen.ts";
import { setsOf } from "../entries.ts";
import { isProgramme, startOfIntake } from "../joined.ts";
import { programme, programmeListing } from "../tables.ts";
import { equivalences } from "./for-student.ts";

/** Compares a student's record with a programme; null if there is no such programme or intake. */
export async function answersOf(
  db: Reader,
  { studentId, record }: { studentId: string; record: StudyRecord },
  { programmeId, intakeId }: { programmeId: string; intakeId?: string | undefined },
) {
  const [row] = await db
    .select({
      id: programme.id,
      institutionId: programme.institutionId,
      judgedFor: programmeListing.judgedFor,
      entryRequirementsId: programme.entryRequirementsId,
    })
    .from(programme)
    .innerJoin(programmeListing, eq(programmeListing.id, programme.id))
    .where(isProgramme(programmeId));
  if (!row) return null;
  const start = intakeId === undefined ? row.judgedFor : await startOfIntake(db, row.id, intakeId);
  if (start === null) return null;
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
