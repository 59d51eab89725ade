import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import type { NamedApplication } from "#domain/application-notification.ts";
import {
  changedTerms,
  checkOffer,
  decideConditions,
  type OfferForm,
  type OfferState,
  type OfferTerms,
  offerSummary,
} from "#domain/offer.ts";
import { applicationPath } from "#protocol/addresses.ts";
import { lockForMover, takeStep } from "#server/features/applications/commands.ts";
import type { Actor } from "#server/features/audit/commands.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { deadlineOf, deadlineRow } from "#server/features/planner/deadline-columns.ts";
import { zonesOf } from "#server/features/planner/queries.ts";
import type { Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { conditionsOf, depositOf, offerRow, studentZone } from "../queries.ts";
import { offer, offerCondition, offerDeposit } from "../tables.ts";
import {
  addToTimeline,
  applicationNameFields,
  lockOpenOffer,
  type OpenOffer,
  recordChange,
} from "./open-offer.ts";

/** `version` is the application's version that the caller saw. With `to`, the application takes that step first. */
export type SavedOffer = {
  applicationId: string;
  version: number;
  to?: OfferState | undefined;
  note: string;
  offer: OfferForm;
};

const staff = ["agent", "admin"] as const;

/** Creates or changes an application's offer, together with the step to its state if `to` is given. */
export async function saveOffer(services: Services, actor: Actor, form: SavedOffer): Promise<void> {
  const { applicationId, to, note } = form;
  await services.database.transaction(async (tx) => {
    // `takeStep` would refuse people who only follow the application with another error.
    const { mover } = await lockForMover(tx, actor, applicationId);
    if (mover === null || mover === "student") throw new Refusal("not-found");
    let { version } = form;
    if (to !== undefined) {
      await takeStep(services, tx, actor, { applicationId, version, to, note });
      version += 1;
    }
    const open = await lockOpenOffer(tx, actor, applicationId, staff);
    if (open.application.version !== version) throw Refusal.conflict();
    const terms = checkOffer(form.offer, await studentZone(tx, open.student.id));
    if ("code" in terms) throw Refusal.of(terms);
    const before = await offerRow(tx, applicationId);
    await (before
      ? changeOffer(services, tx, actor, open, before, terms)
      : enterOffer(services, tx, actor, open, terms));
  });
}

async function enterOffer(
  services: Services,
  tx: Transaction,
  actor: Actor,
  open: OpenOffer,
  terms: OfferTerms,
): Promise<void> {
  const { application, student } = open;
  const { replyBy, startDate, conditions } = terms;
  if (conditions.some(({ id }) => id !== null)) throw Refusal.conflict();
  const id = randomUUID();
  await tx.insert(offer).values({ id, applicationId: application.id, ...deadlineRow(replyBy), startDate });
  await insertConditions(
    tx,
    id,
    conditions.map((condition, place) => ({ ...condition, place })),
  );
  await writeDeposit(tx, id, terms);
  const now = new Date();
  await addToTimeline(tx, actor, application, `Offer entered. ${offerSummary(terms, null, now)}`.trim());
  const zone = (await zonesOf(tx, [student.id])).get(student.id) ?? null;
  await notify(services, tx, notificationOfOffer(student.id, application, offerSummary(terms, zone, now)));
  await recordChange(services, tx, actor, open, { action: "offer-entered" });
}

/** Returns the student's notification of a new offer, which replaces that of the step taken with it. */
const notificationOfOffer = (
  studentId: string,
  application: NamedApplication & { id: string; state: string },
  summary: string,
): NewNotification => ({
  userId: studentId,
  kind: "offerMade",
  eventKey: `offer-made:${application.id}`,
  topic: `application:${application.id}`,
  about: { ...applicationNameFields(application), state: application.state, summary },
  ids: { studentId, applicationId: application.id },
  path: applicationPath(application.id),
});

type OfferRow = typeof offer.$inferSelect;

/** Saves the terms that differ. An unchanged form writes nothing and notifies nobody. */
async function changeOffer(
  services: Services,
  tx: Transaction,
  actor: Actor,
  open: OpenOffer,
  row: OfferRow,
  terms: OfferTerms,
): Promise<void> {
  const { application, student } = open;
  const conditionRows = await conditionsOf(tx, row.id);
  const conditions = decideConditions(
    conditionRows.map((each) => ({ ...each, due: deadlineOf(each) })),
    terms.conditions,
  );
  if (conditions.kind === "conflict") throw Refusal.conflict();
  const { replyBy, startDate } = terms;
  const before = {
    replyBy: deadlineOf(row),
    deposit: await depositOf(tx, row.id),
    startDate: row.startDate,
  };
  const names = [...(conditions.isChanged ? ["conditions"] : []), ...changedTerms(before, terms)];
  if (names.length === 0) return;
  // A paid deposit can't be changed until it is marked as unpaid.
  if (before.deposit?.paid && names.includes("deposit")) throw Refusal.conflict();
  await tx
    .update(offer)
    .set({ ...deadlineRow(replyBy), startDate, updatedAt: new Date() })
    .where(eq(offer.id, row.id));
  await tx.delete(offerCondition).where(inArray(offerCondition.id, conditions.removed));
  for (const { id, place, text, kind, due } of conditions.remaining)
    await tx
      .update(offerCondition)
      .set({ place, text, kind, ...deadlineRow(due) })
      .where(eq(offerCondition.id, id));
  await insertConditions(tx, row.id, conditions.added);
  await writeDeposit(tx, row.id, terms);
  const changes = names.join(", ");
  await addToTimeline(tx, actor, application, `Offer changed: ${changes}.`);
  await notify(services, tx, {
    userId: student.id,
    kind: "offerChanged",
    eventKey: `offer-changed:${application.id}:${application.version + 1}`,
    topic: `offer:${application.id}`,
    about: { ...applicationNameFields(application), changes },
    ids: { studentId: student.id, applicationId: application.id },
    path: applicationPath(application.id),
  });
  await recordChange(services, tx, actor, open, { action: "offer-changed", detail: { fields: changes } });
}

async function insertConditions(
  tx: Transaction,
  offerId: string,
  conditions: readonly (Omit<OfferTerms["conditions"][number], "id"> & { place: number })[],
): Promise<void> {
  if (conditions.length === 0) return;
  await tx.insert(offerCondition).values(
    conditions.map(({ text, kind, due, place }) => ({
      id: randomUUID(),
      offerId,
      place,
      text,
      kind,
      ...deadlineRow(due),
    })),
  );
}

async function writeDeposit(tx: Transaction, offerId: string, { deposit }: OfferTerms): Promise<void> {
  if (deposit === null) {
    await tx.delete(offerDeposit).where(eq(offerDeposit.id, offerId));
    return;
  }
  const { amount, currency, due } = deposit;
  const values = { amount, currency, ...deadlineRow(due) };
  await tx
    .insert(offerDeposit)
    .values({ id: offerId, ...values })
    .onConflictDoUpdate({ target: offerDeposit.id, set: values });
}
