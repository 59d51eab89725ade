import { and, eq, sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { applicationName } from "#domain/application-news.ts";
import { type CalendarEntry, calendarText, initials, withoutName } from "#domain/calendar-feed.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type DatedThing, hasDeadline, openThings } from "./queries.ts";
import { hashOf } from "./settings.ts";
import { calendarFeed } from "./tables.ts";

/** Most entries of a feed: those that are due first. */
const mostEntries = 2000;

/** Returns the calendar behind a secret address; null for a wrong one, and for one of an account out of use. */
export async function calendarBehind(db: Reader, token: string): Promise<string | null> {
  const [holder] = await db
    .select({ id: user.id, role: user.role, status: user.status })
    .from(calendarFeed)
    .innerJoin(user, eq(user.id, calendarFeed.userId))
    .where(and(eq(calendarFeed.tokenHash, hashOf(token))));
  if (!holder || !hasAccess(holder)) return null;
  const own =
    holder.role === "agent"
      ? sql`owner <> 'admin' and student.assigned_agent_id = ${holder.id}`
      : sql`owner = ${holder.role} and owner_id = ${holder.id}`;
  const dated = sql`${own} and student.status = 'active' and due_thing.due_at > now() - interval '90 days'`;
  const things = (await openThings(db, dated, mostEntries)).filter(hasDeadline);
  const isStudent = holder.role === "student";
  return calendarText(things.map((thing) => entryOf(thing, isStudent)));
}

function entryOf(dated: DatedThing, isStudent: boolean): CalendarEntry {
  const { thing, due, student } = dated;
  const title = titleOf(dated);
  // A shared screen says nothing of a student.
  const summary = isStudent ? title : `${withoutName(title, student.name)} (${initials(student.name)})`;
  return { id: thing, title: summary, due };
}

/** A condition is in words of its own, which may have an amount, so that its application stands for it. */
const titleOf = ({ kind, title, application }: DatedThing): string =>
  kind === "condition" && application ? `Condition: ${applicationName(application)}` : title;
