import { eq, inArray } from "drizzle-orm";
import { isOfferState, isReplyOverdue } from "#domain/offer.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { staffOfEach } from "#server/features/assignments/staff.ts";
import type {
  MailedNotification,
  NotificationCheck,
} from "#server/features/notifications/current-notifications.ts";
import { deadlineOf } from "#server/features/planner/deadline-columns.ts";
import { replyBy } from "./queries.ts";
import { offer, offerCondition, offerDeposit } from "./tables.ts";

type OfferKind =
  | "offerMade"
  | "offerChanged"
  | "conditionMarked"
  | "depositMarked"
  | "conditionClaimed"
  | "offerReady"
  | "offerOverdue";

/**
 * Keeps notifications of an open offer for readers who are still responsible for it, and those of a condition or a
 * deposit while the state that they report is current.
 */
export const currentOffers: NotificationCheck<OfferKind> = async (db, notifications) => {
  const ids = notifications.flatMap((each) => each.ids?.applicationId ?? []);
  const rows = await db
    .select({
      id: application.id,
      state: application.state,
      studentId: user.id,
      offerId: offer.id,
      depositPaidOn: offerDeposit.paidOn,
      ...replyBy,
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .innerJoin(offer, eq(offer.applicationId, application.id))
    .leftJoin(offerDeposit, eq(offerDeposit.id, offer.id))
    .where(inArray(application.id, ids));
  const conditions = await db
    .select({ id: offerCondition.id, state: offerCondition.state })
    .from(offerCondition)
    .where(
      inArray(
        offerCondition.id,
        notifications.flatMap((each) => each.ids?.conditionId ?? []),
      ),
    );
  const staff = await staffOfEach(
    db,
    rows.map(({ studentId }) => studentId),
    "guidance",
  );
  const states = new Map(conditions.map(({ id, state }) => [id, state]));
  const offers = new Map(rows.map((row) => [row.id, row]));
  return notifications.filter(({ kind, about, ids: subject, userId }: MailedNotification<OfferKind>) => {
    const row = offers.get(subject?.applicationId ?? "");
    if (!row) return false;
    if (kind === "depositMarked")
      return userId === row.studentId && row.depositPaidOn === (about["paidOn"] ?? null);
    if (!isOfferState(row.state)) return false;
    if (kind === "offerOverdue") return isReplyOverdue(deadlineOf(row), new Date());
    if (kind === "offerReady" || kind === "conditionClaimed") {
      if (!staff.get(row.studentId)?.includes(userId)) return false;
    } else if (userId !== row.studentId) return false;
    const state = states.get(subject?.conditionId ?? "");
    if (kind === "conditionClaimed") return state === "claimed";
    if (kind === "offerReady") return row.state === "conditionalOffer";
    return kind !== "conditionMarked" || state === about["state"];
  });
};
