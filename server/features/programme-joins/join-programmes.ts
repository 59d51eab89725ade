import { and, asc, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { ProgrammeJoin } from "#contract/catalogue.ts";
import { isAdmin } from "#domain/permission.ts";
import { intakesProblem, startDay } from "#domain/programme.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { moveApplications } from "#server/features/applications/joined-programmes.ts";
import { application } from "#server/features/applications/tables.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { lockInstitution } from "#server/features/programmes/catalogue/programme-commands.ts";
import { readEntries, type StoredProgramme } from "#server/features/programmes/entries.ts";
import { refreshListingOf } from "#server/features/programmes/listing.ts";
import { lockSources, storeProgramme } from "#server/features/programmes/store.ts";
import { programme, programmeIntake } from "#server/features/programmes/tables.ts";
import { itemsOfJoin, moveItems } from "#server/features/shortlist/joined-programmes.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";

type Join = { id: string; into: string };

/**
 * Locks two programmes and their institution in the same order as forms and imports, so that nobody can change or
 * choose either in the meantime.
 */
async function lockBoth(tx: Transaction, { id, into }: Join) {
  await lockSources(tx);
  const [target] = await tx
    .select({ institutionId: programme.institutionId })
    .from(programme)
    .where(eq(programme.id, into));
  if (!target) throw new Refusal("not-found");
  const institution = await lockInstitution(tx, target.institutionId);
  const both = and(inArray(programme.id, [id, into]), isNull(programme.joinedTo));
  await tx.select({ id: programme.id }).from(programme).where(both).orderBy(programme.id).for("update");
  const programmes = await readEntries(tx, both ?? sql`false`);
  const [from, other] = [
    programmes.find((each) => each.id === id),
    programmes.find((each) => each.id === into),
  ];
  if (!from || !other) throw new Refusal("not-found");
  if ([from, other].some(({ institutionId }) => institutionId !== institution.id))
    throw new Refusal("failed-precondition", { message: "The two are of different institutions." });
  if (other.removedAt !== null)
    throw new Refusal("failed-precondition", {
      message: "The programme that stays is out of the catalogue. Bring it back first.",
    });
  return { institution, from, other };
}

/** Splits the intakes of a programme into those that the other one lacks, and those that both have. */
function splitIntakes(from: StoredProgramme, other: StoredProgramme) {
  const starts = new Set(other.entry.intakes.map(startDay));
  const { intakes } = from.entry;
  return {
    moving: intakes.filter((intake) => !starts.has(startDay(intake))),
    kept: intakes.filter((intake) => starts.has(startDay(intake))),
  };
}

/** Lists a programme's own source id and those of programmes joined into it before. */
async function sourceIdsOf(tx: Transaction, id: string) {
  const rows = await tx
    .select({ source: programme.source, sourceId: programme.sourceId })
    .from(programme)
    .where(and(or(eq(programme.id, id), eq(programme.joinedTo, id)), isNotNull(programme.sourceId)))
    .orderBy(asc(programme.source), asc(programme.sourceId));
  return rows.flatMap(({ source, sourceId }) => (sourceId === null ? [] : [{ source, sourceId }]));
}

/** Moves the intakes that the target lacks. They keep their ids unless it had the start before. */
async function moveIntakes(tx: Transaction, { id, into }: Join): Promise<void> {
  await tx.execute(sql`
    update programme_intake moving set programme_id = ${into}
    where programme_id = ${id} and not exists (
      select from programme_intake own
      where own.programme_id = ${into} and own.year = moving.year and own.month = moving.month)`);
  await tx
    .update(programmeIntake)
    .set({ droppedAt: sql`now()` })
    .where(and(eq(programmeIntake.programmeId, id), isNull(programmeIntake.droppedAt)));
}

/** Points a programme, and those joined into it before, to the target. */
async function leadTo(tx: Transaction, { id, into }: Join): Promise<void> {
  await tx.update(programme).set({ joinedTo: into }).where(eq(programme.joinedTo, id));
  await tx
    .update(programme)
    .set({ joinedTo: into, removedAt: sql`now()`, version: sql`${programme.version} + 1` })
    .where(eq(programme.id, id));
}

/**
 * Joins a programme into another of its institution, which keeps its own facts and receives the missing intakes and the
 * students' choices. The joined programme's address and source id lead to it. Stores nothing with `dryRun`.
 */
export async function joinProgrammes(
  { database }: Pick<Services, "database">,
  actor: Actor,
  { dryRun, ...join }: Join & { dryRun: boolean },
): Promise<ProgrammeJoin> {
  if (join.id === join.into)
    throw new Refusal("form/incomplete", { field: "into", message: "Please choose another programme." });
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const { institution, from, other } = await lockBoth(tx, join);
    const { moving, kept } = splitIntakes(from, other);
    const entry = { ...other.entry, intakes: [...other.entry.intakes, ...moving] };
    const problem = intakesProblem(entry.intakes);
    if (problem) throw new Refusal("failed-precondition", { message: problem.message });
    const startsOf = (intakes: typeof moving) => intakes.map(({ year, month }) => ({ year, month }));
    const report = {
      intakes: startsOf(moving),
      kept: startsOf(kept),
      sourceIds: await sourceIdsOf(tx, join.id),
      ...(await itemsOfJoin(tx, join)),
      applications: await tx.$count(application, eq(application.programmeId, join.id)),
    };
    if (dryRun) return report;
    await moveIntakes(tx, join);
    await storeProgramme(tx, { id: join.into, institution, entry, checkedBy: other.checkedBy });
    await moveItems(tx, join);
    await moveApplications(tx, join);
    await leadTo(tx, join);
    await refreshListingOf(tx, [join.id, join.into]);
    await recordAudit(tx, {
      action: "programmes-joined",
      ...actedBy(actor),
      detail: { programme: join.id, into: join.into },
    });
    return report;
  });
}
