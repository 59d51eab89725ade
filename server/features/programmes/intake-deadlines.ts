import { and, eq, type SQL, sql } from "drizzle-orm";
import { deadlineInstant } from "#domain/deadline.ts";
import type { Transaction } from "#server/platform/database.ts";
import { rowsOf } from "./store-requirements.ts";
import { institution, intakeDeadline, programme, programmeIntake } from "./tables.ts";

/**
 * Recomputes deadlines: after a change of their institution's time zone, and each night, because system updates change
 * the rules of time zones. `which` selects among deadlines of programmes whose rows are locked.
 */
export async function moveDeadlines(tx: Transaction, which: SQL | undefined): Promise<void> {
  const { date, time, dueAt } = intakeDeadline;
  const rows = await tx
    .selectDistinct({ date, time, dueAt, zone: institution.zone })
    .from(intakeDeadline)
    .innerJoin(programmeIntake, eq(programmeIntake.id, intakeDeadline.intakeId))
    .innerJoin(programme, eq(programme.id, programmeIntake.programmeId))
    .innerJoin(institution, eq(institution.id, programme.institutionId))
    .where(which);
  const changes = rows.flatMap((row) => {
    const due = deadlineInstant(row);
    return due.getTime() === row.dueAt.getTime() ? [] : [{ ...row, due }];
  });
  if (changes.length === 0) return;
  await tx
    .update(intakeDeadline)
    .set({ dueAt: sql`moved.due` })
    .from(
      sql`jsonb_to_recordset(${rowsOf(changes)}) as moved (date date, time text, zone text, "dueAt" timestamptz, due timestamptz)`,
    )
    .innerJoin(programmeIntake, sql`true`)
    .innerJoin(programme, eq(programme.id, programmeIntake.programmeId))
    .innerJoin(institution, eq(institution.id, programme.institutionId))
    .where(
      and(
        eq(programmeIntake.id, intakeDeadline.intakeId),
        sql`${date} = moved.date and ${time} is not distinct from moved.time`,
        sql`${institution.zone} = moved.zone and ${dueAt} = moved."dueAt"`,
        which,
      ),
    );
}
