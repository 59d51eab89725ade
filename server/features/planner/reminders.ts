import { asc, inArray, lt, lte, sql } from "drizzle-orm";
import { z } from "zod";
import { hasAccess } from "#domain/account.ts";
import { daysUntil, deadlineText, dueWords, strictnessWords, unknownZone } from "#domain/deadline.ts";
import { instantOf, localTime } from "#domain/local-time.ts";
import { dueRungs, isUrgent, type Rung } from "#domain/reminder.ts";
import { user } from "#server/features/account/tables.ts";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import type { NotificationCheck } from "#server/features/notifications/current-notifications.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Queue } from "#server/platform/jobs.ts";
import type { Services } from "#server/services.ts";
import { type DatedItem, hasDeadline, itemsByName, zonesOf } from "./queries.ts";
import { mutedThing, pause, reminder, reminderPlan } from "./tables.ts";

/** Runs every minute. Concurrent runs share the work. */
export const reminderQueue: Queue<null> = {
  name: "reminders",
  payload: z.null(),
  timeout: 10 * 60,
  workers: 1,
};

/** Number of things checked in one transaction. */
const batchSize = 500;
/** Minutes in which reminders still join the day's mail. */
const joinsWithin = 4;

type Parts = Pick<Services, "database" | "jobs" | "live">;

/**
 * Sends the reminders that are due, schedules the next ones and returns the number sent. Without `moment`, each batch
 * uses the time at which it begins, so that a long run also finds what falls due in the meantime.
 */
export async function sendReminders(services: Parts, moment?: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const now = moment ?? new Date();
    const count = await services.database.transaction((tx) => sendBatch(services, tx, now));
    total += count.sent;
    if (count.looked < batchSize) return total;
  }
}

async function sendBatch(services: Parts, tx: Transaction, now: Date) {
  // Other nodes skip these rows until the commit, and then find the next check scheduled.
  const plans = await tx
    .select()
    .from(reminderPlan)
    .where(lte(reminderPlan.nextAt, now))
    .orderBy(asc(reminderPlan.nextAt))
    .limit(batchSize)
    .for("update", { skipLocked: true });
  if (plans.length === 0) return { looked: 0, sent: 0 };
  const names = plans.map(({ thing }) => thing);
  const things = await datedThings(tx, names);
  const readers = await readersOf(tx, things);
  const quiet = await quietThings(tx, things, now);
  const sentRungs = await rungsSent(tx, names);

  const next: { thing: string; nextAt: Date; since: Date }[] = [];
  const due: { thing: DatedItem; reader: Person; rungs: Rung[] }[] = [];
  for (const { thing: name, since } of plans) {
    const thing = things.get(name);
    const reader = thing && readers.get(thing.ownerId ?? "");
    const student = thing && readers.get(thing.student.id);
    if (!thing || !reader || !student || !hasAccess(reader) || !hasAccess(student)) continue;
    const ladder = dueRungs(
      { dueAt: thing.due.at, zone: reader.zone, since, sent: sentRungs.get(name) ?? [] },
      now,
    );
    const isQuiet = quiet.has(name);
    if (ladder.due.length > 0 && !isQuiet) due.push({ thing, reader, rungs: ladder.due });
    // Reminders that come due in a quiet period are never sent.
    if (ladder.nextAt) next.push({ thing: name, nextAt: ladder.nextAt, since: isQuiet ? now : since });
  }
  await planNext(tx, names, next);
  const mailed = await mailedToday(
    tx,
    due.map(({ reader }) => reader),
    now,
  );
  const notifications: NewNotification[] = [];
  const rows: (typeof reminder.$inferInsert)[] = [];
  for (const { thing, reader, rungs } of due) {
    for (const rung of rungs) rows.push({ thing: thing.thing, rung, userId: reader.id, queuedAt: now });
    const [latest] = rungs.slice(-1);
    if (latest !== undefined)
      notifications.push(reminderOf(thing, reader, latest, now, mailed.has(reader.id)));
  }
  if (rows.length > 0) await tx.insert(reminder).values(rows).onConflictDoNothing();
  await notify(services, tx, ...notifications);
  return { looked: plans.length, sent: rows.length };
}

const inNames = (names: readonly string[]) => sql`${sql.param([...names])}::text[]`;

/** Returns the things that are still to do and have a deadline, by name. */
async function datedThings(tx: Transaction, names: readonly string[]): Promise<Map<string, DatedItem>> {
  const things = await itemsByName(tx, names);
  return new Map(things.filter(hasDeadline).map((thing) => [thing.thing, thing]));
}

type Person = Pick<typeof user.$inferSelect, "id" | "role" | "status"> & { zone: string };

/** Returns the owners of the things and the students whom they concern, by id. */
async function readersOf(tx: Transaction, things: ReadonlyMap<string, DatedItem>) {
  const ids = [...things.values()].flatMap(({ ownerId, student }) =>
    ownerId === null ? [student.id] : [ownerId, student.id],
  );
  const rows = await tx
    .select({ id: user.id, role: user.role, status: user.status, zone: user.timeZone })
    .from(user)
    .where(sql`${user.id} = any(${inNames([...new Set(ids)])})`);
  return new Map(
    rows.map(({ zone, ...row }): [string, Person] => [row.id, { ...row, zone: zone ?? unknownZone }]),
  );
}

/** Returns the names of things without reminders now: their student is paused, or their owner muted a soft deadline. */
async function quietThings(
  tx: Transaction,
  things: ReadonlyMap<string, DatedItem>,
  now: Date,
): Promise<Set<string>> {
  const students = [...new Set([...things.values()].map(({ student }) => student.id))];
  const paused = await tx
    .select({ id: pause.studentId })
    .from(pause)
    .where(sql`${pause.studentId} = any(${inNames(students)}) and ${pause.endsAt} > ${now}`);
  const muted = await tx
    .select({ userId: mutedThing.userId, thing: mutedThing.thing })
    .from(mutedThing)
    .where(inArray(mutedThing.thing, [...things.keys(), ""]));
  const isPaused = new Set(paused.map(({ id }) => id));
  const isMuted = new Set(muted.map(({ userId, thing }) => `${thing} ${userId}`));
  const quiet = [...things.values()].filter(
    ({ thing, student, ownerId, due }) =>
      isPaused.has(student.id) || (isMuted.has(`${thing} ${ownerId}`) && !due.hard),
  );
  return new Set(quiet.map(({ thing }) => thing));
}

/** Returns the rungs already sent by thing. Those sent to a former owner count too: the next gets later ones. */
async function rungsSent(tx: Transaction, names: readonly string[]): Promise<Map<string, number[]>> {
  const rows = await tx
    .select({ thing: reminder.thing, rung: reminder.rung })
    .from(reminder)
    .where(sql`${reminder.thing} = any(${inNames(names)})`);
  const rungs = new Map<string, number[]>();
  for (const { thing, rung } of rows) rungs.set(thing, [...(rungs.get(thing) ?? []), rung]);
  return rungs;
}

async function planNext(
  tx: Transaction,
  names: readonly string[],
  next: readonly { thing: string; nextAt: Date; since: Date }[],
): Promise<void> {
  const scheduled = new Set(next.map(({ thing }) => thing));
  const finished = names.filter((name) => !scheduled.has(name));
  if (finished.length > 0)
    await tx.delete(reminderPlan).where(sql`${reminderPlan.thing} = any(${inNames(finished)})`);
  if (next.length === 0) return;
  await tx
    .insert(reminderPlan)
    .values([...next])
    .onConflictDoUpdate({
      target: reminderPlan.thing,
      set: { nextAt: sql`excluded.next_at`, since: sql`excluded.since` },
    });
}

/** Returns the ids of the readers who already got the day's mail. A day is local to each reader. */
async function mailedToday(tx: Transaction, readers: readonly Person[], now: Date): Promise<Set<string>> {
  if (readers.length === 0) return new Set();
  const ids = readers.map(({ id }) => id);
  const midnights = readers.map(({ zone }) =>
    instantOf(zone, { date: localTime(zone, now).date, time: "00:00" }).toISOString(),
  );
  const rows = await tx
    .selectDistinct({ userId: reminder.userId })
    .from(reminder)
    .innerJoin(
      sql`unnest(${sql.param(ids)}::text[], ${sql.param(midnights)}::timestamptz[]) as reader(id, midnight)`,
      sql`reader.id = ${reminder.userId} and ${reminder.queuedAt} >= reader.midnight`,
    )
    .where(lt(reminder.queuedAt, new Date(now.getTime() - joinsWithin * 60_000)));
  return new Set(rows.map(({ userId }) => userId));
}

/** The field that holds the id of each kind of thing in a notification. */
const idOfKind: Readonly<Record<string, "requestId" | "taskId" | "offerId" | "depositId" | "conditionId">> = {
  request: "requestId",
  task: "taskId",
  offer: "offerId",
  deposit: "depositId",
  condition: "conditionId",
};

function reminderOf(
  thing: DatedItem,
  reader: Person,
  rung: Rung,
  now: Date,
  isMailed: boolean,
): NewNotification {
  const { due, student } = thing;
  const urgent = isUrgent(due.at, now);
  const isStudents = reader.id === student.id;
  return {
    userId: reader.id,
    kind: urgent ? "fallsDueSoon" : "fallsDue",
    eventKey: `due:${thing.thing}:${rung}`,
    topic: `due:${thing.thing}`,
    about: {
      thing: thing.title,
      when: dueWords(due, now),
      due: deadlineText(due, reader.zone, now),
      strictness: strictnessWords(due.hard),
      ...(!isStudents && { student: student.name }),
    },
    ids: {
      studentId: student.id,
      ...(idOfKind[thing.kind] && { [idOfKind[thing.kind] ?? ""]: thing.id }),
    },
    path: isStudents ? "/student-dashboard" : "/today",
    ...(isMailed && !urgent && { mail: false }),
  };
}

/** Keeps a reminder while its reader still has to do the thing, and words it for the moment of sending. */
export const stillDue: NotificationCheck<"fallsDue" | "fallsDueSoon"> = async (db, notifications) => {
  const nameOf = (ids: (typeof notifications)[number]["ids"]): string =>
    Object.entries(idOfKind).flatMap(([kind, name]) => (ids?.[name] ? [`${kind}:${ids[name]}`] : []))[0] ??
    "";
  const names = notifications.map(({ ids }) => nameOf(ids));
  const things = await datedThings(db, names);
  const zones = await zonesOf(
    db,
    notifications.map(({ userId }) => userId),
  );
  const now = new Date();
  return notifications.flatMap((each) => {
    const thing = things.get(nameOf(each.ids));
    if (!thing || thing.ownerId !== each.userId) return [];
    const zone = zones.get(each.userId) ?? unknownZone;
    const about = {
      ...each.about,
      when: dueWords(thing.due, now),
      due: deadlineText(thing.due, zone, now),
      strictness: strictnessWords(thing.due.hard),
    };
    return daysUntil(thing.due, now) > 14 ? [] : [{ ...each, about }];
  });
};
