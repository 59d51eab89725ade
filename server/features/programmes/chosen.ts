import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { countryCodeOf } from "#domain/country.ts";
import type { DatedIntake } from "#domain/intake.ts";
import { profile } from "#server/features/profile/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import { institution, intakeDeadline, nationalityGroup, programme, programmeIntake } from "./tables.ts";

/** The intake that the caller names, whose programme may have been joined into another. */
const namedIntake = alias(programmeIntake, "named");

/** A choice from the catalogue: a programme, and optionally one of its intakes. */
export type Choice = { programmeId: string; intakeId?: string | undefined };

/** Returns the id of a programme, or of the one that it was joined into. Prevents joins until the transaction ends. */
async function lockPresent(tx: Reader, programmeId: string): Promise<string> {
  for (let id = programmeId; ; ) {
    const [row] = await tx
      .select({ joinedTo: programme.joinedTo })
      .from(programme)
      .where(eq(programme.id, id))
      .for("key share");
    if (!row) throw new Refusal("not-found");
    if (row.joinedTo === null) return id;
    id = row.joinedTo;
  }
}

/**
 * Returns the facts of a chosen programme, or of the one that it was joined into, that are copied to shortlists and
 * applications. Throws `not-found` for an unknown programme, and for an intake of another one. `isRemoved` says that
 * staff removed the programme or the intake from the catalogue.
 */
export async function chosenProgramme(tx: Reader, { programmeId, intakeId }: Choice) {
  const id = await lockPresent(tx, programmeId);
  const [row] = await tx
    .select({
      id: programme.id,
      title: programme.title,
      university: institution.name,
      url: programme.url,
      removedAt: programme.removedAt,
    })
    .from(programme)
    .innerJoin(institution, eq(institution.id, programme.institutionId))
    .where(eq(programme.id, id));
  if (!row) throw new Refusal("not-found");
  const { removedAt, ...facts } = row;
  if (intakeId === undefined) return { ...facts, intake: null, isRemoved: removedAt !== null };
  const [intake] = await tx
    .select({
      id: programmeIntake.id,
      year: programmeIntake.year,
      month: programmeIntake.month,
      droppedAt: programmeIntake.droppedAt,
    })
    .from(namedIntake)
    .innerJoin(
      programmeIntake,
      and(
        eq(programmeIntake.programmeId, id),
        eq(programmeIntake.year, namedIntake.year),
        eq(programmeIntake.month, namedIntake.month),
      ),
    )
    .where(and(eq(namedIntake.id, intakeId), inArray(namedIntake.programmeId, [programmeId, id])));
  if (!intake) throw new Refusal("not-found");
  const { droppedAt, ...start } = intake;
  return { ...facts, intake: start, isRemoved: removedAt !== null || droppedAt !== null };
}

/** Returns the names of the groups of nationalities that a student is in. */
export async function groupsOfStudent(db: Reader, studentId: string): Promise<string[]> {
  const [person] = await db
    .select({ citizenship: profile.citizenship })
    .from(profile)
    .where(eq(profile.userId, studentId));
  if (!person || person.citizenship.trim() === "") return [];
  const rows = await db
    .select({ name: nationalityGroup.name })
    .from(nationalityGroup)
    .where(sql`${countryCodeOf(person.citizenship.trim())} = any(${nationalityGroup.countries})`)
    .orderBy(nationalityGroup.name);
  return rows.map(({ name }) => name);
}

/** Returns the current intakes of programmes with their apply-by deadlines, by programme and then by intake. */
export async function datedIntakes(
  db: Reader,
  programmeIds: readonly string[],
): Promise<Map<string, Map<string, DatedIntake>>> {
  const all = new Map<string, Map<string, DatedIntake>>();
  if (programmeIds.length === 0) return all;
  const rows = await db
    .select({
      programmeId: programmeIntake.programmeId,
      id: programmeIntake.id,
      intake: { year: programmeIntake.year, month: programmeIntake.month, state: programmeIntake.state },
      dueAt: intakeDeadline.dueAt,
      hard: intakeDeadline.hard,
      group: nationalityGroup.name,
    })
    .from(programmeIntake)
    .leftJoin(
      intakeDeadline,
      and(eq(intakeDeadline.intakeId, programmeIntake.id), eq(intakeDeadline.kind, "applyBy")),
    )
    .leftJoin(nationalityGroup, eq(nationalityGroup.id, intakeDeadline.groupId))
    .where(and(inArray(programmeIntake.programmeId, [...programmeIds]), isNull(programmeIntake.droppedAt)));
  for (const { programmeId, id, intake, dueAt, hard, group } of rows) {
    const ofProgramme = all.get(programmeId) ?? new Map<string, DatedIntake>();
    all.set(programmeId, ofProgramme);
    const deadlines = ofProgramme.get(id)?.deadlines ?? [];
    const deadline =
      dueAt === null ? [] : [{ kind: "applyBy" as const, group, hard: hard ?? false, at: dueAt }];
    ofProgramme.set(id, { ...intake, deadlines: [...deadlines, ...deadline] });
  }
  return all;
}
