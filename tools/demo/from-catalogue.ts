import { type Intake, intakes } from "#domain/application.ts";
import type { IntakeEntry } from "#domain/programme.ts";
import { checkShortlistItem } from "#domain/shortlist.ts";
import type { shortlistItem } from "#server/features/shortlist/tables.ts";
import type { Events } from "./events.ts";
import type { Account } from "./people.ts";
import type { DemoProgramme } from "./programmes.ts";
import { Random } from "./random.ts";
import { after, day } from "./time.ts";

/** A programme of the catalogue by its place, and the place of one of its intakes; null for none in particular. */
export type CatalogueChoice = { programme: number; intake: number | null };

/** An item of a shortlist that comes from the catalogue. */
export type CatalogueItem = { row: typeof shortlistItem.$inferInsert; choice: CatalogueChoice };

const formIntakes: Readonly<Record<number, Intake>> = {
  1: intakes[1],
  5: intakes[2],
  6: intakes[2],
  8: intakes[0],
  9: intakes[0],
};
/** Returns the intake of the application form for a start, or undefined if the form has none. */
export const formIntakeOf = ({ month }: Pick<IntakeEntry, "month">): Intake | undefined => formIntakes[month];

/** Plans shortlists from the catalogue: some intakes in them are closed by now. */
export function planCatalogueItems(
  students: readonly Account[],
  programmes: readonly DemoProgramme[],
  events: Events,
  now: Date,
): CatalogueItem[] {
  const random = new Random("shortlists from the catalogue");
  const places = programmes.map((_, place) => place);
  return students.flatMap((student, at) => {
    if (student.status !== "active") return [];
    const picks = random.some(places, at === 0 ? 4 : random.whole(0, 3));
    const times = random.times(Math.max(picks.length, 1), after(student.createdAt, day), now);
    return picks.flatMap((programme, number): CatalogueItem[] => {
      const { institution, entry } = programmes[programme] ?? {};
      if (!institution || !entry) return [];
      const { title: course, url } = entry;
      const item = checkShortlistItem({ university: institution.name, course, url });
      if ("code" in item) throw new Error(`${course}: ${item.message}`);
      const { id: studentId } = student;
      const createdAt = times[number] ?? now;
      const row = { ...item, id: random.uuid(), studentId, addedBy: studentId, createdAt };
      events.audit(createdAt, {
        action: "shortlist-added",
        actorId: studentId,
        subjectId: studentId,
        detail: { item: row.id },
      });
      const intake = entry.intakes.length === 0 ? null : random.whole(0, entry.intakes.length - 1);
      return [{ row, choice: { programme, intake } }];
    });
  });
}
