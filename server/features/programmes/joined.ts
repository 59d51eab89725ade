import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { startDay } from "#domain/programme.ts";
import type { Reader } from "#server/platform/database.ts";
import { programme, programmeIntake } from "./tables.ts";

/** Matches the programme with an id, or the one that it was joined into. */
export const isProgramme = (id: string): SQL =>
  sql`${programme.id} = (select coalesce(named.joined_to, named.id) from programme named where named.id = ${id})`;

/** Selects the id of a programme's intake that starts with the intake `intakeId`, which may be a joined programme's. */
export const intakeOf = (programmeId: string, intakeId: SQLWrapper): SQL => sql`(
  select own.id from programme_intake named
  join programme_intake own on own.year = named.year and own.month = named.month
  where named.id = ${intakeId} and own.programme_id = ${programmeId})`;

/** Returns the first day of an intake; null unless it belongs to the programme, or to one that was joined into it. */
export async function startOfIntake(
  db: Reader,
  programmeId: string,
  intakeId: string,
): Promise<string | null> {
  const [intake] = await db
    .select({ year: programmeIntake.year, month: programmeIntake.month })
    .from(programmeIntake)
    .innerJoin(programme, eq(programme.id, programmeIntake.programmeId))
    .where(
      and(
        eq(programmeIntake.id, intakeId),
        sql`coalesce(${programme.joinedTo}, ${programme.id}) = ${programmeId}`,
      ),
    );
  return intake ? startDay(intake) : null;
}
