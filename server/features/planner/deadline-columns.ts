import { boolean, date, text } from "drizzle-orm/pg-core";
import { type Deadline, type DeadlineOwner, deadlineInstant } from "#domain/deadline.ts";
import { at } from "#server/platform/columns.ts";

/**
 * The columns of an optional deadline, all null without one. `due_at` is computed from the date, the time and the zone.
 */
export const deadlineColumns = () => ({
  dueDate: date("due_date", { mode: "string" }),
  /** HH:MM, or null for the end of the day. */
  dueTime: text("due_time"),
  dueZone: text("due_zone"),
  dueWhose: text("due_whose").$type<DeadlineOwner>(),
  dueHard: boolean("due_hard"),
  dueAt: at("due_at"),
});

export type DeadlineRow = {
  dueDate: string | null;
  dueTime: string | null;
  dueZone: string | null;
  dueWhose: DeadlineOwner | null;
  dueHard: boolean | null;
  dueAt: Date | null;
};

/** Returns a row's deadline with its instant; null without one. */
export function deadlineOf(row: DeadlineRow): (Deadline & { at: Date }) | null {
  const { dueDate, dueTime, dueZone, dueWhose, dueHard, dueAt } = row;
  if (dueDate === null || dueZone === null || dueWhose === null || dueHard === null || dueAt === null)
    return null;
  return { date: dueDate, time: dueTime, zone: dueZone, whose: dueWhose, hard: dueHard, at: dueAt };
}

/** Returns the column values of a deadline. */
export function deadlineRow(deadline: Deadline | null): DeadlineRow {
  if (deadline === null)
    return { dueDate: null, dueTime: null, dueZone: null, dueWhose: null, dueHard: null, dueAt: null };
  const { date: dueDate, time: dueTime, zone: dueZone, whose: dueWhose, hard: dueHard } = deadline;
  return { dueDate, dueTime, dueZone, dueWhose, dueHard, dueAt: deadlineInstant(deadline) };
}
