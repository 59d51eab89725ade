import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { AuditDetail } from "#domain/audit-detail.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { type Deadline, deadlineInstant } from "#domain/deadline.ts";
import { daysFrom, localTime, timeZoneNamed } from "#domain/local-time.ts";
import { user } from "#server/features/account/tables.ts";
import { lockForResponsible } from "#server/features/assignments/queries.ts";
import { type Actor, actedBy, recordAudit, recordOwn } from "#server/features/audit/commands.ts";
import { broadcastDashboards } from "#server/live-channels.ts";
import type { Reader, Transaction } from "#server/platform/database.ts";
import { Refusal } from "#server/refusal.ts";
import type { Services } from "#server/services.ts";
import { deadlineOf, deadlineRow } from "./deadline-columns.ts";
import { readOpenItems, timeZoneOf } from "./queries.ts";
import { calendarFeed, mutedThing, pause, request, task } from "./tables.ts";

const maxPauseDays = 366;

/** Pauses a student's reminders through a day in the student's time zone, or resumes them. */
export async function pauseStudent(
  services: Services,
  actor: Actor,
  { studentId, lastDay }: { studentId: string; lastDay: string | null },
): Promise<void> {
  await services.database.transaction(async (tx) => {
    const student = await lockForResponsible(tx, actor, studentId);
    const zone = await timeZoneOf(tx, student.id);
    const today = localTime(zone, new Date()).date;
    if (lastDay === null) await tx.delete(pause).where(eq(pause.studentId, student.id));
    else {
      if (!isCalendarDate(lastDay) || lastDay < today || lastDay > daysFrom(today, maxPauseDays))
        throw new Refusal("form/incomplete", {
          field: "lastDay",
          message: "Please enter a day within a year from today.",
        });
      const endsAt = deadlineInstant({ date: lastDay, time: null, zone });
      const row = { until: lastDay, endsAt, by: actor.userId };
      await tx
        .insert(pause)
        .values({ studentId: student.id, ...row })
        .onConflictDoUpdate({ target: pause.studentId, set: row });
    }
    const action = lastDay === null ? "student-resumed" : "student-paused";
    const detail: AuditDetail = lastDay === null ? {} : { until: lastDay };
    await recordAudit(tx, { action, ...actedBy(actor), subjectId: student.id, detail });
    await broadcastDashboards(services, tx, "plan", student.id, student.assignedAgentId, actor.userId);
  });
}

/** Mutes a student's own reminders of one thing, unless its deadline is hard. */
export async function muteThing(
  { database }: Services,
  { userId }: Actor,
  { thing, muted }: { thing: string; muted: boolean },
): Promise<void> {
  await database.transaction(async (tx) => {
    const ownThing = sql`thing = ${thing} and student_id = ${userId} and owner = 'student'`;
    const [row] = await readOpenItems(tx, ownThing, 1);
    if (!row) throw new Refusal("not-found");
    if (muted && row.due?.hard)
      throw new Refusal("failed-precondition", {
        message: "We keep reminding you of this, since nothing is taken after its deadline.",
      });
    if (muted) await tx.insert(mutedThing).values({ userId, thing }).onConflictDoNothing();
    else await tx.delete(mutedThing).where(and(eq(mutedThing.userId, userId), eq(mutedThing.thing, thing)));
  });
}

/** Returns an account's time zone and when its calendar's address was made. */
export async function settingsOf(db: Reader, userId: string) {
  const [row] = await db
    .select({ timeZone: user.timeZone, calendarMadeAt: calendarFeed.madeAt })
    .from(user)
    .leftJoin(calendarFeed, eq(calendarFeed.userId, user.id))
    .where(eq(user.id, userId));
  return { timeZone: row?.timeZone ?? null, calendarMadeAt: row?.calendarMadeAt ?? null };
}

/** Stores an account's time zone. Deadlines that follow a student's own clock move with it. */
export async function setTimeZone(
  services: Services,
  { userId }: Actor,
  { timeZone, onlyFirst }: { timeZone: string; onlyFirst: boolean },
): Promise<void> {
  const zone = timeZoneNamed(timeZone);
  if (zone === null)
    throw new Refusal("form/incomplete", { field: "timeZone", message: "Please choose a time zone." });
  await services.database.transaction(async (tx) => {
    const rows = await tx
      .update(user)
      .set({ timeZone: zone })
      .where(and(eq(user.id, userId), onlyFirst ? isNull(user.timeZone) : undefined))
      .returning({ id: user.id });
    if (rows.length === 0) return;
    await moveApplicantsDeadlines(tx, userId, zone);
    await services.studyEvents.zoneChanged(services, tx, { studentId: userId, zone });
  });
}

async function moveApplicantsDeadlines(tx: Transaction, studentId: string, zone: string): Promise<void> {
  for (const table of [request, task]) {
    const rows = await tx
      .select()
      .from(table)
      .where(and(eq(table.studentId, studentId), eq(table.dueWhose, "applicant")))
      .orderBy(table.id)
      .for("update");
    for (const row of rows) {
      const due = deadlineOf(row);
      if (due) await tx.update(table).set(movedTo(due, zone)).where(eq(table.id, row.id));
    }
  }
}

/** Returns the columns of an applicant's deadline moved to another time zone. */
export const movedTo = ({ date, time, whose, hard }: Deadline, zone: string) =>
  deadlineRow({ date, time, zone, whose, hard });

/**
 * Recomputes the upcoming deadlines of requests and tasks every night, because system updates change the rules of time
 * zones.
 */
export async function renewDeadlines({ database: { db } }: Services): Promise<void> {
  for (const table of [request, task]) {
    const coming = and(isNotNull(table.dueAt), gt(table.dueAt, sql`now()`));
    const rows = await db
      .selectDistinct({
        dueDate: table.dueDate,
        dueTime: table.dueTime,
        dueZone: table.dueZone,
        dueWhose: table.dueWhose,
        dueHard: table.dueHard,
        dueAt: table.dueAt,
      })
      .from(table)
      .where(coming);
    for (const row of rows) {
      const due = deadlineOf(row);
      const dueAt = due && deadlineInstant(due);
      if (!due || !dueAt || dueAt.getTime() === due.at.getTime()) continue;
      await db
        .update(table)
        .set({ dueAt })
        .where(
          and(
            eq(table.dueDate, due.date),
            due.time === null ? isNull(table.dueTime) : eq(table.dueTime, due.time),
            eq(table.dueZone, due.zone),
          ),
        );
    }
  }
}

export const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** Creates and returns a secret address for the actor's calendar, which replaces any earlier one. */
export async function makeCalendar({ database, environment }: Services, actor: Actor): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await database.transaction(async (tx) => {
    const row = { tokenHash: hashOf(token), madeAt: new Date() };
    await tx
      .insert(calendarFeed)
      .values({ userId: actor.userId, ...row })
      .onConflictDoUpdate({ target: calendarFeed.userId, set: row });
    await recordOwn(tx, "calendar-made", actor);
  });
  return `${environment.baseUrl}/calendar/${token}.ics`;
}

/** Removes the address of the actor's calendar. */
export async function removeCalendar({ database }: Services, actor: Actor): Promise<void> {
  await database.transaction(async (tx) => {
    if (await endCalendar(tx, actor.userId)) await recordOwn(tx, "calendar-removed", actor);
  });
}

/** Removes the address of a user's calendar; returns whether there was one. */
export async function endCalendar(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx
    .delete(calendarFeed)
    .where(eq(calendarFeed.userId, userId))
    .returning({ userId: calendarFeed.userId });
  return rows.length > 0;
}
