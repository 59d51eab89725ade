import { type SQL, sql } from "drizzle-orm";
import { inactiveStatuses } from "#domain/account.ts";
import { warningDays } from "#domain/deletion.ts";
import { type RetentionRule, retentionOutlookDays, retentionRules } from "#domain/retention.ts";
import { adminRowsPerPage } from "#protocol/page-sizes.ts";
import { erasedOn } from "#server/features/auctions/settlement/erased-on.ts";
import type { Reader } from "#server/platform/database.ts";
import type { Environment } from "#server/platform/environment.ts";
import { ascending, type Cursor, cursorForm, paginate } from "#server/platform/keyset-list.ts";

type Settings = Pick<Environment, "retention" | "retainAuditDays">;

/** Returns the days of a rule; null if it removes nothing. Requested deletions are always carried out. */
function daysOf({ retention, retainAuditDays }: Settings, rule: RetentionRule): number | null {
  if (rule === "deletionAsked") return 0;
  return rule === "auditLog" ? retainAuditDays : retention[rule];
}

const days = (number: number) => sql`make_interval(days => ${number})`;

/** Selects students without an open application. */
const withoutOpenApplication = sql`not exists (
  select from application
  where student_id = "user".id and state not in ('rejected', 'withdrawn', 'enrolled'))`;

/** Selects students who have not logged in for this number of days and have no open application. */
export const isWithdrawn = (after: number, now: Date): SQL =>
  sql`role = 'student' and status = 'active' and last_login_at <= ${now.toISOString()}::timestamptz - ${days(after)}
    and ${withoutOpenApplication}`;

/**
 * Selects the entries that each rule removes before `until`: `id`, the time `at`, and `who` they concern. A
 * notification has its reader's id. Expects a student who is not warned yet to be warned the next night.
 */
const entriesBefore: Record<RetentionRule, (after: number, now: Date, until: Date) => SQL> = {
  deletionAsked: (_after, _now, until) => sql`
    select id, at, who from (
      select id, ${erasedOn} as at, email as who from "user"
      where status = any(${sql.param(inactiveStatuses)}::text[]) and deletion_due_at <= ${until.toISOString()}::timestamptz
    ) account where at <= ${until.toISOString()}::timestamptz`,
  withdrawnStudents: (after, now, until) => sql`
    select id, at, who from (
      select id, email as who, coalesce(${erasedOn}, greatest(last_login_at + ${days(after)},
        date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC') + ${days(warningDays + 1)})) as at
      from "user" where ${isWithdrawn(after, until)}
    ) student where at <= ${until.toISOString()}::timestamptz`,
  deniedAgents: (after, _now, until) => sql`
    select id, denied_at + ${days(after)} as at, email as who from denied_agent
    where denied_at <= ${until.toISOString()}::timestamptz - ${days(after)}`,
  notifications: (after, _now, until) => sql`
    select user_id as id, notification.created_at + ${days(after)} as at, email as who
    from notification join "user" on "user".id = user_id
    where notification.created_at <= ${until.toISOString()}::timestamptz - ${days(after)}`,
  auditLog: (after, _now, until) => sql`
    select id::text as id, at + ${days(after)} as at, action as who from audit
    where at <= ${until.toISOString()}::timestamptz - ${days(after)}`,
};

const outlook = (now: Date) => new Date(now.getTime() + retentionOutlookDays * 24 * 3_600_000);

type Count = { due: number; soon: number };

/** Lists every rule with the number of entries that it removes tonight, and within the outlook. */
export async function listRules(db: Reader, environment: Settings, now = new Date()) {
  const rules = [];
  for (const rule of retentionRules) {
    const after = daysOf(environment, rule);
    const count = after === null ? { due: 0, soon: 0 } : await countOf(db, rule, after, now);
    rules.push({ rule, days: rule === "deletionAsked" ? null : after, ...count });
  }
  return rules;
}

async function countOf(db: Reader, rule: RetentionRule, after: number, now: Date): Promise<Count> {
  const { rows } = await db.execute<Count>(sql`
    select count(*)::int as soon, (count(*) filter (where at <= ${now.toISOString()}::timestamptz))::int as due
    from (${entriesBefore[rule](after, now, outlook(now))}) entry`);
  return rows[0] ?? { due: 0, soon: 0 };
}

const order = ascending(sql`entry.at`, sql`entry.id`);
export const entryCursor = cursorForm("time", "text");

type EntriesQuery = { rule: RetentionRule; from: Cursor | null; limit?: number | undefined };

/**
 * Lists a page of the entries that a rule removes within the outlook, soonest first, with a person's notifications as
 * one entry. `next` is null on the last page.
 */
export async function listEntries(
  db: Reader,
  environment: Settings,
  { rule, from, limit = adminRowsPerPage }: EntriesQuery,
  now = new Date(),
) {
  const after = daysOf(environment, rule);
  if (after === null) return { entries: [], next: null };
  const further = order.after(from) ?? sql`true`;
  const single = entriesBefore[rule](after, now, outlook(now));
  const entries =
    rule === "notifications"
      ? sql`select id, min(at) as at, who, count(*)::int as count from (${single}) one group by id, who`
      : sql`select id, at, who, 1 as count from (${single}) one`;
  const { rows } = await db.execute<{ id: string; at: string; who: string; count: number }>(sql`
    select id, to_json(at) #>> '{}' as at, who, count from (
      select id, date_trunc('milliseconds', at) as at, who, count from (${entries}) listed
    ) entry where ${further} order by ${sql.join(order.by, sql`, `)} limit ${limit + 1}`);
  const candidates = rows.map(({ at, ...row }) => ({ ...row, at: new Date(at) }));
  const page = paginate(candidates, limit, ({ at, id }): Cursor => [at, id]);
  return { entries: page.rows, next: page.next };
}
