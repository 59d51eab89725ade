import type { Deadline } from "#domain/deadline.ts";
import { daysFrom, localTime } from "#domain/local-time.ts";
import type { offer, offerCondition, offerDeposit, offerOverdue } from "#server/features/offers/tables.ts";
import { deadlineRow } from "#server/features/planner/deadline-columns.ts";
import type { Applications } from "./applications.ts";
import type { Account } from "./people.ts";
import { Random } from "./random.ts";

export type PlaceOffers = {
  placeOffers: (typeof offer.$inferInsert)[];
  placeConditions: (typeof offerCondition.$inferInsert)[];
  placeDeposits: (typeof offerDeposit.$inferInsert)[];
  placeOverdue: (typeof offerOverdue.$inferInsert)[];
};

const conditions = [
  { text: "IELTS 6.5 overall, with 6.0 in each part", kind: "score", state: "open", dueIn: 30 },
  { text: "Final transcript, certified", kind: "document", state: "claimed", dueIn: 45 },
  { text: "Application fee", kind: "payment", state: "met", dueIn: null },
] as const;

/** Days from now by which the student has to reply: one of the offers is overdue. */
const replyIn = [42, -2, 12] as const;

/** Plans the conditional offers of applications, each with three conditions, and the unconditional ones. */
export function planPlaceOffers(
  students: readonly Account[],
  { applications }: Applications,
  now: Date,
): PlaceOffers {
  const random = new Random("offers");
  const planned: PlaceOffers = { placeOffers: [], placeConditions: [], placeDeposits: [], placeOverdue: [] };
  const zone = "Europe/London";
  const today = localTime(zone, now).date;
  const due = (days: number, time: string | null): Deadline => ({
    date: daysFrom(today, days),
    time,
    zone,
    whose: "institution",
    hard: true,
  });
  const agentOf = new Map(students.map(({ id, assignedAgentId }) => [id, assignedAgentId]));
  for (const { id: applicationId, studentId, state, updatedAt: createdAt = now } of applications) {
    if (state !== "conditionalOffer" && state !== "unconditionalOffer") continue;
    const id = random.uuid();
    const days = replyIn[planned.placeOffers.length % replyIn.length] ?? 42;
    const replyBy = deadlineRow(due(days, "17:00"));
    planned.placeOffers.push({
      id,
      applicationId,
      ...replyBy,
      startDate: daysFrom(today, 160),
      createdAt,
      updatedAt: createdAt,
    });
    // Both sides were told when it passed: otherwise the job of every minute would mail them.
    if (replyBy.dueAt && replyBy.dueAt < now)
      planned.placeOverdue.push({ offerId: id, dueAt: replyBy.dueAt, audience: "people" });
    planned.placeDeposits.push({
      id,
      amount: 400_000,
      currency: "GBP",
      ...deadlineRow(due(60, "17:00")),
      // The second one is paid; its student has an agent, as every student with an offer has.
      ...(planned.placeOffers.length === 2 && {
        paidOn: daysFrom(today, -1),
        paidMarkedBy: agentOf.get(studentId) ?? null,
      }),
    });
    if (state === "unconditionalOffer") continue;
    for (const [place, { dueIn, ...condition }] of conditions.entries())
      planned.placeConditions.push({
        ...condition,
        id: random.uuid(),
        offerId: id,
        place,
        claim: condition.state === "claimed" ? "I uploaded it yesterday." : "",
        ...deadlineRow(dueIn === null ? null : due(dueIn, null)),
        updatedAt: createdAt,
      });
  }
  return planned;
}
