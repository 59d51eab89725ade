import { and, eq, inArray, not, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { deadlineText, strictnessWords } from "#domain/deadline.ts";
import { adminNoticeDays, offerStates } from "#domain/offer.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { activeAdmins } from "#server/features/account/queries.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { deadlineOf } from "#server/features/planner/deadline-columns.ts";
import { zonesOf } from "#server/features/planner/queries.ts";
import { pause } from "#server/features/planner/tables.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Queue } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { applicationNameFields } from "./commands/open-offer.ts";
import { offer, offerOverdue } from "./tables.ts";

type Audience = typeof offerOverdue.$inferSelect.audience;

/** Runs every minute, on one of the nodes. */
export const overdueQueue: Queue<null> = { name: "offers-overdue", payload: z.null(), timeout: 10 * 60 };

/** Number of offers handled in one transaction. */
const batchSize = 200;

/** A pause delays notifications until it ends. Admins supervise the agents who pause, so they are notified anyway. */
const isPaused: Record<Audience, SQL> = {
  people: sql`exists (select from ${pause} where ${pause.studentId} = ${user.id} and ${pause.endsAt} > now())`,
  admins: sql`false`,
};

const delays: Record<Audience, SQL> = {
  people: sql`interval '0'`,
  admins: sql`make_interval(days => ${adminNoticeDays})`,
};

/**
 * Notifies students and agents, and some days later admins, of offers whose reply is overdue. Changes nothing about an
 * offer or an application.
 */
export async function notifyOfOverdueOffers(services: Services): Promise<void> {
  for (const audience of ["people", "admins"] as const) {
    let count = batchSize;
    while (count === batchSize)
      count = await services.database.transaction((tx) => notifyBatch(services, tx, audience));
  }
}

/** Notifies of one batch of offers, once per reply-by moment of each; returns the size of the batch. */
async function notifyBatch(services: Services, tx: Transaction, audience: Audience): Promise<number> {
  const due = await tx
    .select({ offer, application, student: { ...studentColumns } })
    .from(offer)
    .innerJoin(application, eq(application.id, offer.applicationId))
    .innerJoin(user, eq(user.id, application.studentId))
    .where(
      and(
        sql`${offer.dueAt} <= now() - ${delays[audience]}`,
        inArray(application.state, offerStates),
        eq(user.status, "active"),
        not(isPaused[audience]),
        sql`not exists (select from offer_overdue told
          where told.offer_id = ${offer.id} and told.due_at = ${offer.dueAt} and told.audience = ${audience})`,
      ),
    )
    .orderBy(offer.dueAt, offer.id)
    .limit(batchSize);
  if (due.length === 0) return 0;
  // A second node that found the same offers waits here for this one, and then adds nothing.
  const rows = await tx
    .insert(offerOverdue)
    .values(due.flatMap(({ offer: { id, dueAt } }) => (dueAt ? [{ offerId: id, dueAt, audience }] : [])))
    .onConflictDoNothing()
    .returning({ offerId: offerOverdue.offerId });
  const insertedIds = new Set(rows.map(({ offerId }) => offerId));
  const admins = audience === "admins" ? await activeAdmins(tx) : [];
  const recipients = due
    .filter(({ offer: { id } }) => insertedIds.has(id))
    .map((each) => ({ ...each, readers: audience === "admins" ? admins : peopleOf(each) }));
  const zones = await zonesOf(
    tx,
    recipients.flatMap(({ readers }) => readers),
  );
  await notify(services, tx, ...recipients.flatMap((each) => notificationsFor(each, zones)));
  return due.length;
}

const studentColumns = {
  id: user.id,
  name: user.name,
  assignedAgentId: user.assignedAgentId,
};
type OverdueOffer = {
  offer: typeof offer.$inferSelect;
  application: typeof application.$inferSelect;
  student: { id: string; name: string; assignedAgentId: string | null };
};

const peopleOf = ({ student: { id, assignedAgentId } }: OverdueOffer): string[] =>
  assignedAgentId === null ? [id] : [id, assignedAgentId];

function notificationsFor(
  { offer: row, application, student, readers }: OverdueOffer & { readers: readonly string[] },
  zones: ReadonlyMap<string, string | null>,
): NewNotification[] {
  const replyBy = deadlineOf(row);
  if (!replyBy) return [];
  const now = new Date();
  return readers.map((userId): NewNotification => {
    const toStudent = userId === student.id;
    return {
      userId,
      kind: "offerOverdue",
      eventKey: `offer-overdue:${row.id}:${replyBy.at.getTime()}`,
      topic: `offer-overdue:${row.id}`,
      about: {
        ...applicationNameFields({ ...application, year: application.intakeYear }),
        replyBy: deadlineText(replyBy, zones.get(userId) ?? null, now),
        strictness: strictnessWords(replyBy.hard),
        ...(!toStudent && { student: student.name }),
      },
      ids: { studentId: student.id, applicationId: application.id },
      path: applicationPath(application.id),
    };
  });
}
