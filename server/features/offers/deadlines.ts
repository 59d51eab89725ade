import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { deadlineInstant } from "#domain/deadline.ts";
import { application } from "#server/features/applications/tables.ts";
import { deadlineOf } from "#server/features/planner/deadline-columns.ts";
import { movedTo } from "#server/features/planner/settings.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Services } from "#server/services.ts";
import { offer, offerCondition, offerDeposit } from "./tables.ts";

/** Recomputes upcoming offer deadlines every night, because system updates change the rules of time zones. */
export async function renewOfferDeadlines({ database: { db } }: Services): Promise<void> {
  for (const offerTable of [offer, offerCondition, offerDeposit] as const) {
    const rows = await db.select().from(offerTable).where(gt(offerTable.dueAt, sql`now()`));
    for (const row of rows) {
      const due = deadlineOf(row);
      const dueAt = due && deadlineInstant(due);
      // A deadline that was changed in the meantime is already up to date.
      const isAsRead = and(eq(offerTable.id, row.id), eq(offerTable.dueAt, due?.at ?? new Date(0)));
      if (due && dueAt && dueAt.getTime() !== due.at.getTime())
        await db.update(offerTable).set({ dueAt }).where(isAsRead);
    }
  }
}

/** Moves those deadlines of a student's offers that follow the student's own clock to another time zone. */
export async function moveOfferDeadlines(
  tx: Transaction,
  { studentId, zone }: { studentId: string; zone: string },
): Promise<void> {
  const ownOffers = tx
    .select({ id: offer.id })
    .from(offer)
    .innerJoin(application, eq(application.id, offer.applicationId))
    .where(eq(application.studentId, studentId));
  for (const [offerTable, offerId] of [
    [offer, offer.id],
    [offerCondition, offerCondition.offerId],
    [offerDeposit, offerDeposit.id],
  ] as const) {
    const rows = await tx
      .select()
      .from(offerTable)
      .where(and(inArray(offerId, ownOffers), eq(offerTable.dueWhose, "applicant")))
      .orderBy(offerTable.id)
      .for("update");
    for (const row of rows) {
      const due = deadlineOf(row);
      if (due) await tx.update(offerTable).set(movedTo(due, zone)).where(eq(offerTable.id, row.id));
    }
  }
}
