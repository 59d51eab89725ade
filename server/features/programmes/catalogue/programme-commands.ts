import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { calendarDate } from "#domain/calendar-date.ts";
import { isAdmin } from "#domain/permission.ts";
import type { ProgrammeEntry } from "#domain/programme.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import { lockActor } from "#server/features/account/queries.ts";
import { type Actor, actedBy, recordAudit } from "#server/features/audit/commands.ts";
import { isUniqueViolation, type Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { refreshListingOf } from "../listing.ts";
import { lockSources, storeProgramme } from "../store.ts";
import { institution, programme } from "../tables.ts";

export type ProgrammeForm = {
  id: string | null;
  version: number;
  institutionId: string;
  entry: ProgrammeEntry;
};

const sourceIdTaken = () =>
  new Refusal("already-exists", {
    field: "sourceId",
    message: "Another programme of this source has this id.",
  });

/** Locks an institution until the transaction ends. */
export async function lockInstitution(tx: Transaction, id: string) {
  const [row] = await tx
    .select()
    .from(institution)
    .where(and(eq(institution.id, id), isNull(institution.joinedTo)))
    .for("share");
  if (!row) throw new Refusal("not-found", { message: "This institution is gone. Please choose another." });
  return row;
}

/** Matches a programme that was not joined into another. */
const isPresent = (id: string) => and(eq(programme.id, id), isNull(programme.joinedTo));

async function requireVersion(tx: Transaction, id: string, version: number): Promise<void> {
  const [row] = await tx
    .select({ version: programme.version })
    .from(programme)
    .where(isPresent(id))
    .for("update");
  if (!row) throw new Refusal("not-found");
  if (row.version !== version) throw Refusal.conflict();
}

/** Adds a programme, or changes the version that the caller saw. Brings a removed one back into the catalogue. */
export async function saveProgramme(
  { database }: Pick<Services, "database">,
  actor: Actor,
  { id, version, institutionId, entry }: ProgrammeForm,
): Promise<{ id: string; version: number; slug: string }> {
  const terms = checkProgramme(entry, calendarDate(new Date()));
  if ("code" in terms) throw Refusal.of(terms);
  try {
    return await database.transaction(async (tx) => {
      await lockActor(tx, actor, isAdmin);
      await lockSources(tx);
      const at = await lockInstitution(tx, institutionId);
      if (id !== null) await requireVersion(tx, id, version);
      const result = await storeProgramme(tx, {
        id,
        institution: at,
        entry: terms,
        checkedBy: actor.userId,
      });
      await refreshListingOf(tx, [result.id]);
      const [row] = await tx
        .select({ slug: programme.slug })
        .from(programme)
        .where(eq(programme.id, result.id));
      await recordAudit(tx, {
        action: "programme-saved",
        ...actedBy(actor),
        detail: { programme: result.id, institution: at.name },
      });
      return { ...result, slug: row?.slug ?? "" };
    });
  } catch (error) {
    throw isUniqueViolation(error) ? sourceIdTaken() : error;
  }
}

/** Removes a programme from the catalogue or brings it back. Does nothing if that is already the case. */
export async function setRemoved(
  { database }: Pick<Services, "database">,
  actor: Actor,
  id: string,
  removed: boolean,
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const rows = await tx
      .update(programme)
      .set({ removedAt: removed ? sql`now()` : null, version: sql`${programme.version} + 1` })
      .where(and(isPresent(id), removed ? isNull(programme.removedAt) : isNotNull(programme.removedAt)))
      .returning({ id: programme.id });
    if (rows.length === 0) {
      if ((await tx.$count(programme, isPresent(id))) === 0) throw new Refusal("not-found");
      return;
    }
    await refreshListingOf(tx, [id]);
    await recordAudit(tx, {
      action: removed ? "programme-removed" : "programme-brought-back",
      ...actedBy(actor),
      detail: { programme: id },
    });
  });
}

/**
 * Marks programmes of the catalogue as checked today, and returns their number. Open forms for them are then outdated,
 * as after any change.
 */
export async function markChecked(
  { database }: Pick<Services, "database">,
  actor: Actor,
  ids: readonly string[],
): Promise<number> {
  return await database.transaction(async (tx) => {
    await lockActor(tx, actor, isAdmin);
    const rows = await tx
      .select({ id: programme.id })
      .from(programme)
      .where(and(inArray(programme.id, [...ids]), isNull(programme.removedAt)))
      .orderBy(programme.id)
      .for("update");
    const marked = rows.map(({ id }) => id);
    if (marked.length === 0) return 0;
    await tx
      .update(programme)
      .set({
        checkedOn: calendarDate(new Date()),
        checkedBy: actor.userId,
        version: sql`${programme.version} + 1`,
      })
      .where(inArray(programme.id, marked));
    await refreshListingOf(tx, marked);
    await recordAudit(tx, {
      action: "programmes-checked",
      ...actedBy(actor),
      detail: { count: String(marked.length) },
    });
    return marked.length;
  });
}
