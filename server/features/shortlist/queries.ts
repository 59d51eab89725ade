import { desc, eq } from "drizzle-orm";
import type { ShortlistItem } from "#contract/shortlist.ts";
import { type CurrentState, intakeNow, programmeNow } from "#domain/intake.ts";
import { shortlistLimits, visitableUrl } from "#domain/shortlist.ts";
import { datedIntakes, groupsOfStudent } from "#server/features/programmes/chosen.ts";
import { programme, programmeIntake } from "#server/features/programmes/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { shortlistItem } from "./tables.ts";

const rowsOf = (db: Reader, studentId: string) =>
  db
    .select({
      id: shortlistItem.id,
      university: shortlistItem.university,
      course: shortlistItem.course,
      url: shortlistItem.url,
      programme: { id: programme.id, slug: programme.slug, removedAt: programme.removedAt },
      intake: { id: programmeIntake.id, year: programmeIntake.year, month: programmeIntake.month },
    })
    .from(shortlistItem)
    .leftJoin(programme, eq(programme.id, shortlistItem.programmeId))
    .leftJoin(programmeIntake, eq(programmeIntake.id, shortlistItem.intakeId))
    .where(eq(shortlistItem.studentId, studentId))
    .orderBy(desc(shortlistItem.createdAt), desc(shortlistItem.id))
    .limit(shortlistLimits.items);
type Row = Awaited<ReturnType<typeof rowsOf>>[number];
type Intakes = Awaited<ReturnType<typeof datedIntakes>>;

/** Returns the current state of an item's programme, or of its chosen intake. */
function stateOf(
  { programme, intake }: Row,
  intakes: Intakes,
  groups: readonly string[],
): CurrentState | null {
  if (programme === null || programme.removedAt !== null) return "removed";
  const ownIntakes = intakes.get(programme.id) ?? new Map();
  if (intake === null) return programmeNow([...ownIntakes.values()], groups, new Date());
  const current = ownIntakes.get(intake.id);
  return current ? intakeNow(current, groups, new Date()) : "removed";
}

/**
 * Lists all of a student's items, newest first. An invalid address in the table is never shown as a link. Deadlines of
 * the student's own nationality only count for viewers who may see it.
 */
export async function itemsOf(
  db: Reader,
  studentId: string,
  { seesIdentity }: { seesIdentity: boolean },
): Promise<ShortlistItem[]> {
  const rows = await rowsOf(db, studentId);
  const programmeIds = [...new Set(rows.flatMap(({ programme }) => programme?.id ?? []))];
  const intakes = await datedIntakes(db, programmeIds);
  const groups = seesIdentity && programmeIds.length > 0 ? await groupsOfStudent(db, studentId) : [];
  return rows.map((row) => {
    const { id, university, course, url, programme, intake } = row;
    return {
      id,
      university,
      course,
      url: visitableUrl(url),
      programme: programme && {
        id: programme.id,
        slug: programme.slug,
        intake,
        state: stateOf(row, intakes, groups),
      },
    };
  });
}
