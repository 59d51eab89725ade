import { sql } from "drizzle-orm";
import { z } from "zod";
import type { StayRow } from "#contract/reports.ts";
import { applicationStates } from "#domain/application.ts";
import { isOpen } from "#domain/application-step.ts";
import type { Reader } from "#server/platform/database.ts";

/** Returns the condition that a time lies in a year in UTC; without a year, in any. */
const inYear = (moment: string, year: number | undefined) =>
  year === undefined
    ? sql`true`
    : sql`${sql.raw(moment)} >= make_timestamptz(${year}, 1, 1, 0, 0, 0, 'UTC')
        and ${sql.raw(moment)} < make_timestamptz(${year + 1}, 1, 1, 0, 0, 0, 'UTC')`;

/** Selects the applications that are enrolled now, with the latest step to that state. Reverted ones don't count. */
const enrolled = (year: number | undefined) => sql`enrolled as (
  select application.student_id, application.university, step.at
  from application
  join lateral (
    select max(at) as at from application_step where application_id = application.id and "to" = 'enrolled'
  ) step on ${inYear("step.at", year)}
  where application.state = 'enrolled')`;

const monthRow = z.object({ month: z.string(), enrolments: z.number() });

/** Counts enrolments by month, the latest first, as YYYY-MM. */
export async function enrolmentsByMonth(db: Reader, year: number | undefined) {
  const { rows } = await db.execute(sql`
    with ${enrolled(year)}
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as enrolments
    from enrolled where at is not null group by 1 order by 1 desc`);
  return z.array(monthRow).parse(rows);
}

const agentRow = z.object({ id: z.string().nullable(), name: z.string().nullable(), enrolments: z.number() });

/** Counts enrolments by the student's current agent. */
export async function enrolmentsByAgent(db: Reader, year: number | undefined, limit: number) {
  const { rows } = await db.execute(sql`
    with ${enrolled(year)}
    select agent.id, agent.name, count(*)::int as enrolments
    from enrolled
    join "user" student on student.id = enrolled.student_id
    left join "user" agent on agent.id = student.assigned_agent_id
    group by agent.id, agent.name order by enrolments desc, agent.name, agent.id limit ${limit}`);
  return z
    .array(agentRow)
    .parse(rows)
    .map(({ id, name, enrolments }) => ({
      agent: id === null ? null : { id, name: name ?? "" },
      enrolments,
    }));
}

const universityRow = z.object({ university: z.string(), enrolments: z.number() });

/** Counts enrolments by university, ignoring letter case; the name is spelled as in most applications. */
export async function enrolmentsByUniversity(db: Reader, year: number | undefined, limit: number) {
  const { rows } = await db.execute(sql`
    with ${enrolled(year)}
    select mode() within group (order by btrim(university)) as university, count(*)::int as enrolments
    from enrolled group by lower(btrim(university)) order by enrolments desc, 1 limit ${limit}`);
  return z.array(universityRow).parse(rows);
}

const stayRow = z.object({
  state: z.enum(applicationStates),
  ended: z.number(),
  medianDays: z.number().nullable(),
  slowDays: z.number().nullable(),
  current: z.number(),
});

/**
 * Measures how long applications stay in each state. A changed offer is not a step to another state, and applications
 * leave rejected, withdrawn and enrolled only by exception.
 */
export async function staysInStates(db: Reader, year: number | undefined): Promise<StayRow[]> {
  const { rows } = await db.execute(sql`
    with stay as (
      select "to" as state, at, lead(at) over (partition by application_id order by id) as until
      from application_step where "from" is distinct from "to"),
    lasted as (
      select state, until, extract(epoch from until - at)::float8 / 86400 as days,
        until is not null and ${inYear("until", year)} as ended
      from stay)
    select state,
      (count(*) filter (where ended))::int as ended,
      percentile_cont(0.5) within group (order by days) filter (where ended) as "medianDays",
      percentile_cont(0.9) within group (order by days) filter (where ended) as "slowDays",
      (count(*) filter (where until is null))::int as current
    from lasted group by state`);
  const stays = new Map(
    z
      .array(stayRow)
      .parse(rows)
      .map((row) => [row.state, row]),
  );
  return applicationStates
    .filter(isOpen)
    .map((state) => stays.get(state) ?? { state, ended: 0, medianDays: null, slowDays: null, current: 0 });
}
