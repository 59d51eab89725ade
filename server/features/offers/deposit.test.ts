import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DueThing, Today } from "#contract/planned-work.ts";
import { type NotificationKind, notificationText } from "#domain/notification.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { sendReminders, stillDue } from "#server/features/planner/reminders.ts";
import { reminder, reminderPlan } from "#server/features/planner/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { conditionalOffer, inLondon, offerForm } from "#tests/support/offers.ts";
import { ownData } from "#tests/support/own-data.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { currentOffers } from "./current-offers.ts";
import { offerRow } from "./queries.ts";
import { offerDeposit } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const today = daysFromNow(0);
const overdueDeposit = { deposit: { ...offerForm.deposit, due: inLondon(daysFromNow(-3), "17:00") } };

const markAs = (
  { caller }: Person,
  applicationId: string,
  paidOn: string | null,
  earlier: string | null = null,
) => caller.call("offers.markDeposit", { applicationId, seen: earlier, paidOn });

/** Returns a person's notifications of a kind in the form that the mail check receives. */
async function notificationsOf<Kind extends NotificationKind>({ id: userId }: Person, kind: Kind) {
  const rows = await w.services.database.db
    .select({ about: notification.about, ids: notification.ids, path: notification.path })
    .from(notification)
    .where(and(eq(notification.userId, userId), eq(notification.kind, kind)));
  return rows.map((row) => ({ ...row, userId, kind, agentId: null }));
}

const currently = (notifications: Parameters<typeof currentOffers>[1]) =>
  w.services.database.transaction((tx) => currentOffers(tx, notifications, "mail"));
const stillToSend = (notifications: Parameters<typeof stillDue>[1]) =>
  w.services.database.transaction((tx) => stillDue(tx, notifications, "mail"));

/** Returns the kinds of the student's to-dos and of the agent's overdue entries. */
async function dueKinds(student: Person, agent: Person) {
  const dashboard = await student.caller.call("planner.mine");
  const { overdue } = (await agent.caller.call("planner.today")).body as Today;
  return {
    toDo: (dashboard.body as { things: DueThing[] }).things.map(({ kind }) => kind),
    overdue: overdue.entries.map(({ kind }) => kind),
  };
}

test("a deposit that the agent marks as paid is not due until the mark is removed", async () => {
  const { student, agent, id, seen } = await conditionalOffer(w, { ...overdueDeposit, conditions: [] });
  const before = await dueKinds(student, agent);
  expect([before.toDo, before.overdue]).toEqual([expect.arrayContaining(["deposit"]), ["deposit"]]);

  expect((await markAs(agent, id, today)).body).toEqual({ done: true });
  expect((await seen()).offer?.deposit).toMatchObject({
    amount: 400_000,
    paid: { on: today, by: { name: "Ada Obi", agency: "North Star" } },
  });
  const paid = await dueKinds(student, agent);
  expect([paid.toDo.includes("deposit"), paid.overdue]).toEqual([false, []]);

  expect((await markAs(agent, id, null, today)).body).toEqual({ done: true });
  expect((await seen()).offer?.deposit?.paid).toBeNull();
  expect((await dueKinds(student, agent)).overdue).toEqual(["deposit"]);
});

test("each mark of a deposit notifies the student and is in the audit log", async () => {
  const { student, agent, id } = await conditionalOffer(w);
  await markAs(agent, id, "2026-01-09");
  const { db } = w.services.database;
  const [entry] = await notificationsOf(student, "depositMarked");
  expect(notificationText("depositMarked", entry?.about ?? {})).toMatch(
    /^The deposit for MSc Data Science, .* is marked as paid\. Paid on 9 January 2026\.$/,
  );
  expect(await currently(entry ? [entry] : [])).toHaveLength(1);
  await markAs(agent, id, null, "2026-01-09");
  expect(await currently(entry ? [entry] : [])).toEqual([]);
  // The later entry replaces the unread one.
  const later = await notificationsOf(student, "depositMarked");
  expect(later.map(({ about }) => "paidOn" in about)).toEqual([false]);
  expect(await currently(later)).toHaveLength(1);
  const entries = await db
    .select({ detail: audit.detail })
    .from(audit)
    .where(and(eq(audit.actorId, agent.id), eq(audit.action, "deposit-marked")))
    .orderBy(audit.id);
  expect(entries.map(({ detail }) => detail)).toEqual([
    { application: id, outcome: "2026-01-09" },
    { application: id, outcome: "not paid" },
  ]);
});

test("a paid deposit sends no reminders until it is marked as unpaid again", async () => {
  const due = inLondon("2031-08-12", "17:00");
  const { student, agent, id } = await conditionalOffer(w, { deposit: { ...offerForm.deposit, due } });
  const { db } = w.services.database;
  const thing = `deposit:${(await offerRow(db, id))?.id}`;
  const reminderCount = async () =>
    (await db.select().from(reminder).where(eq(reminder.thing, thing))).length;
  const remind = (day: string) => sendReminders(w.services, new Date(`${day}T12:00:00Z`));
  await remind("2031-07-29");
  expect(await reminderCount()).toBe(1);
  await markAs(agent, id, today);
  await remind("2031-08-05");
  expect(await reminderCount()).toBe(1);
  expect(await db.select().from(reminderPlan).where(eq(reminderPlan.thing, thing))).toEqual([]);
  await markAs(agent, id, null, today);
  await remind("2031-08-09");
  expect(await reminderCount()).toBeGreaterThan(1);
  expect(student.id).not.toBe(agent.id);
});

test("a reminder that waits for its mail is dropped when the deposit is paid in the meantime", async () => {
  const due = inLondon("2032-08-12", "17:00");
  const { student, agent, id } = await conditionalOffer(w, { deposit: { ...offerForm.deposit, due } });
  await sendReminders(w.services, new Date("2032-08-11T12:00:00Z"));
  const { db } = w.services.database;
  await db.execute(sql`update offer_deposit set due_at = now() + interval '1 hour', due_date = current_date`);
  const entry = (await notificationsOf(student, "fallsDue")).find(({ about }) =>
    about["thing"]?.startsWith("Deposit"),
  );
  expect(await stillToSend(entry ? [entry] : [])).toHaveLength(1);
  await markAs(agent, id, today);
  expect(await stillToSend(entry ? [entry] : [])).toEqual([]);
});

test("a paid deposit matches no filter of Manage Students and is part of the student's own data", async () => {
  const { student, agent, id } = await conditionalOffer(w, overdueDeposit);
  const deposits = async () => {
    const { students } = await agent.caller.api.students.list({ deposit: "overdue" });
    return students.map((each) => each.id);
  };
  expect(await deposits()).toContain(student.id);
  await markAs(agent, id, today);
  expect(await deposits()).not.toContain(student.id);
  expect(await ownData(w, student.id)).toContain(`"depositPaidOn":"${today}"`);
});

test("a mark is refused for an invalid or future day, or if the deposit has changed since it was seen", async () => {
  const { agent, id, save, move } = await conditionalOffer(w);
  expect(await markAs(agent, id, daysFromNow(3))).toMatchObject({ message: "This day is still to come." });
  expect(await markAs(agent, id, "soon")).toMatchObject({ message: "Please enter the day." });
  expect((await markAs(agent, id, today, "2026-01-09")).code).toBe("failed-precondition");
  expect((await markAs(agent, id, null)).code).toBe("failed-precondition");
  await save(agent, { deposit: null });
  expect((await markAs(agent, id, today)).code).toBe("failed-precondition");
  await move(agent, "rejected", "The programme is full.");
  expect((await markAs(agent, id, today)).code).toBe("failed-precondition");
});

test("a deposit can be marked as paid after the offer was accepted, but not by an unassigned agent or the student", async () => {
  const { student, agent, id, move, seen } = await conditionalOffer(w, { conditions: [] });
  await move(agent, "unconditionalOffer");
  await move(student, "accepted");
  const stranger = await person(w, "agent", "approved");
  expect((await markAs(stranger, id, today)).code).toBe("not-found");
  expect((await markAs(student, id, today)).code).toBe("permission-denied");
  const boss = await person(w, "admin", "active");
  expect((await markAs(boss, id, today)).body).toEqual({ done: true });
  expect((await seen()).offer?.deposit?.paid).toMatchObject({ on: today });
});

test("a deposit that is unpaid at Visa stays due on every list until the student is enrolled", async () => {
  const { student, agent, id, move } = await conditionalOffer(w, { ...overdueDeposit, conditions: [] });
  await move(agent, "unconditionalOffer");
  await move(student, "accepted");
  await move(agent, "visa");
  const everywhere = async () => {
    const { toDo, overdue } = await dueKinds(student, agent);
    const { students } = await agent.caller.api.students.list({ deposit: "overdue" });
    return [
      toDo.includes("deposit"),
      overdue.includes("deposit"),
      students.some((each) => each.id === student.id),
    ];
  };
  expect(await everywhere()).toEqual([true, true, true]);
  const { db } = w.services.database;
  const thing = `deposit:${(await offerRow(db, id))?.id}`;
  await db
    .update(reminderPlan)
    .set({ since: new Date(`${daysFromNow(-10)}T00:00:00Z`) })
    .where(eq(reminderPlan.thing, thing));
  await sendReminders(w.services);
  expect(await db.$count(reminder, eq(reminder.thing, thing))).toBeGreaterThan(0);
  await move(agent, "enrolled");
  expect(await everywhere()).toEqual([false, false, false]);
});

test("a paid deposit is neither changed nor removed with the offer", async () => {
  const { agent, id, save, seen } = await conditionalOffer(w, { conditions: [] });
  await markAs(agent, id, today);
  const form = { conditions: [], replyBy: null };
  expect((await save(agent, { ...form, deposit: null })).code).toBe("failed-precondition");
  const higherDeposit = { ...offerForm.deposit, amount: 500_000 };
  expect((await save(agent, { ...form, deposit: higherDeposit })).code).toBe("failed-precondition");
  expect((await save(agent, form)).body).toEqual({ done: true });
  expect((await seen()).offer).toMatchObject({
    replyBy: null,
    deposit: { amount: 400_000, paid: { on: today } },
  });
});

test("only one of three concurrent marks of a deposit on two nodes succeeds", async () => {
  const { agent, id } = await conditionalOffer(w);
  const other = await wayfare({ on: w.address });
  const onOther = await person(other, "admin", "active");
  const answers = await Promise.all([
    markAs(agent, id, "2026-01-09"),
    markAs(onOther, id, "2026-01-10"),
    markAs(agent, id, "2026-01-11"),
  ]);
  expect(answers.map(({ code }) => code ?? "done").toSorted()).toEqual([
    "done",
    "failed-precondition",
    "failed-precondition",
  ]);
  await other.stop();
  const { db } = w.services.database;
  const [row] = await db
    .select()
    .from(offerDeposit)
    .where(eq(offerDeposit.id, (await offerRow(db, id))?.id ?? ""));
  expect([agent.id, onOther.id]).toContain(row?.paidMarkedBy);
});
