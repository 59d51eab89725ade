import { and, asc, eq } from "drizzle-orm";
import type { Offer } from "#contract/offers.ts";
import type { AccountStatus } from "#domain/account.ts";
import { moverOf } from "#domain/application-step.ts";
import { unknownZone } from "#domain/deadline.ts";
import { documentTypes } from "#domain/document.ts";
import { user } from "#server/features/account/tables.ts";
import { application } from "#server/features/applications/tables.ts";
import { storedFile } from "#server/features/files/tables.ts";
import { deadlineOf } from "#server/features/planner/deadline-columns.ts";
import type { Reader } from "#server/platform/database.ts";
import { offer, offerCondition, offerDeposit } from "./tables.ts";

type Caller = AccountStatus & { userId: string };
type DeadlineColumns = {
  dueDate: typeof offer.dueDate;
  dueTime: typeof offer.dueTime;
  dueZone: typeof offer.dueZone;
  dueWhose: typeof offer.dueWhose;
  dueHard: typeof offer.dueHard;
  dueAt: typeof offer.dueAt;
};

/** The columns of a deadline, in a query of `offer`. */
export const replyBy: DeadlineColumns = {
  dueDate: offer.dueDate,
  dueTime: offer.dueTime,
  dueZone: offer.dueZone,
  dueWhose: offer.dueWhose,
  dueHard: offer.dueHard,
  dueAt: offer.dueAt,
};

/** Returns the row of an application's offer; null if none was entered. */
export async function offerRow(db: Reader, applicationId: string) {
  const [row] = await db.select().from(offer).where(eq(offer.applicationId, applicationId));
  return row ?? null;
}

export const conditionsOf = (db: Reader, offerId: string) =>
  db
    .select()
    .from(offerCondition)
    .where(eq(offerCondition.offerId, offerId))
    .orderBy(asc(offerCondition.place), asc(offerCondition.id));

/** Returns the deposit of an offer with the account that marked it as paid; null if it has none. */
export async function depositOf(db: Reader, offerId: string) {
  const [row] = await db
    .select({ deposit: offerDeposit, name: user.name, agency: user.agency })
    .from(offerDeposit)
    .leftJoin(user, eq(user.id, offerDeposit.paidMarkedBy))
    .where(eq(offerDeposit.id, offerId));
  if (!row) return null;
  const { deposit, name, agency } = row;
  return {
    amount: deposit.amount,
    currency: deposit.currency,
    due: deadlineOf(deposit),
    paid: deposit.paidOn === null ? null : { on: deposit.paidOn, by: { name, agency: agency ?? "" } },
  };
}

/** Returns the stored file of an offer's letter; null where there is none. */
export async function letterOf(db: Reader, offerId: string) {
  const [row] = await db
    .select()
    .from(storedFile)
    .where(and(eq(storedFile.purpose, "offerLetter"), eq(storedFile.recordId, offerId)));
  const type = documentTypes.find((each) => each === row?.mediaType);
  if (!row || !type) return null;
  return {
    key: row.key,
    name: row.name ?? "Offer letter",
    type,
    size: row.size ?? 0,
    uploadedAt: row.createdAt,
  };
}

/** Returns the zone of a student's own deadlines. */
export async function studentZone(db: Reader, studentId: string): Promise<string> {
  const [row] = await db.select({ zone: user.timeZone }).from(user).where(eq(user.id, studentId));
  return row?.zone ?? unknownZone;
}

/** Returns an application with its student and the role in which the caller moves it; null if they may not. */
export async function applicationFor(db: Reader, caller: Caller, applicationId: string) {
  const [row] = await db
    .select({
      id: application.id,
      state: application.state,
      version: application.version,
      student: { id: user.id, assignedAgentId: user.assignedAgentId, timeZone: user.timeZone },
    })
    .from(application)
    .innerJoin(user, eq(user.id, application.studentId))
    .where(eq(application.id, applicationId));
  const mover = row ? moverOf({ ...caller, id: caller.userId }, row.student) : null;
  return row && mover ? { ...row, mover } : null;
}

/** Returns an application's offer, the same for everyone who may see it; null if none was entered. */
export async function offerOf(db: Reader, applicationId: string): Promise<Offer | null> {
  const row = await offerRow(db, applicationId);
  if (!row) return null;
  const [conditions, deposit, letter] = await Promise.all([
    conditionsOf(db, row.id),
    depositOf(db, row.id),
    letterOf(db, row.id),
  ]);
  return {
    conditions: conditions.map((each) => ({
      id: each.id,
      text: each.text,
      kind: each.kind,
      due: deadlineOf(each),
      state: each.state,
      claim: each.claim,
      reason: each.reason,
    })),
    replyBy: deadlineOf(row),
    deposit,
    startDate: row.startDate,
    rank: row.rank,
    letter: letter && {
      name: letter.name,
      type: letter.type,
      size: letter.size,
      uploadedAt: letter.uploadedAt,
    },
    updatedAt: row.updatedAt,
  };
}

/** Returns the application of a condition; null for an unknown id. */
export async function applicationOfCondition(db: Reader, conditionId: string): Promise<string | null> {
  const [row] = await db
    .select({ applicationId: offer.applicationId })
    .from(offerCondition)
    .innerJoin(offer, eq(offer.id, offerCondition.offerId))
    .where(eq(offerCondition.id, conditionId));
  return row?.applicationId ?? null;
}
