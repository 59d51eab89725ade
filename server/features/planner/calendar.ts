import { and, eq, sql } from "drizzle-orm";
import { hasAccess } from "#domain/account.ts";
import { applicationName } from "#domain/application-notification.ts";
import { type CalendarEntry, calendarText, initials, withoutName } from "#domain/calendar-feed.ts";
import { user } from "#server/features/account/tables.ts";
import type { Reader } from "#server/platform/database.ts";
import { type DatedItem, hasDeadline, readOpenItems } from "./queries.ts";
import { hashOf } from "./settings.ts";
import { calendarFeed } from "./tables.ts";

/** Maximum number of entries in a feed. Those with the latest deadlines are left out. */
const maxEntries = 2000;

/** Returns the calendar at a secret address; null if the address is wrong or its account has no access. */
export async function findCalendar(db: Reader, token: string): Promise<string | null> {
  const [holder] = await db
    .select({ id: user.id, role: user.role, status: user.status })
    .from(calendarFeed)
    .innerJoin(user, eq(user.id, calendarFeed.userId))
    .where(and(eq(calendarFeed.tokenHash, hashOf(token))));
  if (!holder || !hasAccess(holder)) return null;
  const ownThings =
    holder.role === "agent"
      ? sql`owner <> 'admin' and student.assigned_agent_id = ${holder.id}`
      : sql`owner = ${holder.role} and owner_id = ${holder.id}`;
  const dated = sql`${ownThings} and student.status = 'active' and due_thing.due_at > now() - interval '90 days'`;
  const things = (await readOpenItems(db, dated, maxEntries)).filter(hasDeadline);
  const isStudent = holder.role === "student";
  return calendarText(things.map((thing) => entryOf(thing, isStudent)));
}

function entryOf(dated: DatedItem, isStudent: boolean): CalendarEntry {
  const { thing, due, student } = dated;
  const title = titleOf(dated);
  // Shows only initials to agents, because their screens may be shared.
  const summary = isStudent ? title : `${withoutName(title, student.name)} (${initials(student.name)})`;
  return { id: thing, title: summary, due };
}

/** Names a condition after its application, because its free text may contain an amount. */
const titleOf = ({ kind, title, application }: DatedItem): string =>
  kind === "condition" && application ? `Condition: ${applicationName(application)}` : title;
