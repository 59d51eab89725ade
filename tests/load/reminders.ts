import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { startPostgres } from "#server/platform/embedded-postgres.ts";
import { prepareDatabase } from "#server/platform/prepare-database.ts";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import type { Outcome, Violation } from "./outcome.ts";
import { sessionSecret } from "./test-data.ts";

/** Students, half of whom are reminded while servers are killed. */
const students = 20_000;
/** Number of tasks, requests and offers. Each offer has four open things: the reply, the deposit and two conditions. */
const [tasks, requests, offers] = [140_000, 20_000, 10_000];
const open = tasks + requests + 4 * offers;
const kills = 6;
const second = 1000;
const minute = 60 * second;
/** Maximum delay of a reminder, in milliseconds. */
const within = 60 * second;
/** Days on which tasks are due, an equal number each: the first one, counted from today, and how many. */
const [firstDay, days] = [-16, 100];
/** Days until the deadline on which a student is reminded (domain/reminder.ts, with the opposite sign). */
const rungDays = [14, 7, 3, 1, 0, -1, -8, -15];

/** Returns the UTC offset of a clock that shows nine at this moment, such as -03:36. */
function clockAtNine(moment: number): string {
  const minutes = ((9 * 60 - Math.round(moment / minute)) % (24 * 60)) + 24 * 60;
  const shifted = ((minutes + 12 * 60) % (24 * 60)) - 12 * 60;
  const [hours, rest] = [Math.floor(Math.abs(shifted) / 60), Math.abs(shifted) % 60];
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${shifted < 0 ? "-" : "+"}${digits(hours)}:${digits(rest)}`;
}

const people = `
  insert into "user" (id, name, email, role, status, time_zone)
  select 's' || n, 'Student ' || n, 'student-' || n || '@example.org', 'student', 'active',
    case when n % 2 = 0 then $2 else $3 end
  from generate_series(1, $1::int) n`;
const dueColumns = "due_date, due_zone, due_whose, due_hard, due_at";
const due = "at::date, 'UTC', 'applicant', false, at";
/**
 * The numbers from 1 on, each with a student and a due time: the end of a day on the student's clock, 15 hours after
 * nine.
 */
const numbers = (count: number) => `
  from generate_series(1, ${count}) n
  cross join lateral (select 1 + n % ${students} as student) of
  cross join lateral (select case when student % 2 = 0 then $1::timestamptz else $2::timestamptz end
    + interval '15 hours' + make_interval(days => ${firstDay} + n / 7 % ${days}) as at) as due`;
const things = [
  `insert into task (id, student_id, title, text, owner, created_by, ${dueColumns})
   select gen_random_uuid(), 's' || student, 'Task ' || n, '', 'student', 'nobody', ${due} ${numbers(tasks)}`,
  `insert into request (id, student_id, kind, name, reason, blocks, created_by, ${dueColumns})
   select gen_random_uuid(), 's' || student, 'other', 'Paper ' || n, '', false, 'nobody', ${due} ${numbers(requests)}`,
  `with added as (
     insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info,
       state)
     select 'a' || n, 's' || 1 + n % ${students}, 'Programme ' || n, 'Postgraduate', '{GB}', 'Spring Intake (January)', '',
       'conditionalOffer'
     from generate_series(1, ${offers}) n)
   insert into offer (id, application_id, ${dueColumns}) select 'o' || n, 'a' || n, ${due} ${numbers(offers)}`,
  `insert into offer_deposit (id, amount, currency, ${dueColumns})
   select 'o' || n, 400000, 'GBP', ${due} ${numbers(offers)}`,
  ...[0, 1].map(
    (place) => `insert into offer_condition (id, offer_id, place, text, kind, ${dueColumns})
   select 'c' || n || '-${place}', 'o' || n, ${place}, 'Condition', 'other', ${due} ${numbers(offers)}`,
  ),
];

/**
 * Reminds of 200,000 open things on two nodes: half of the students at one moment undisturbed, the other half at a
 * later one while nodes are killed. No reminder may be doubled or missing, and undisturbed ones may not be late.
 */
export async function remindThroughKills(): Promise<Outcome> {
  const folder = await dataFolder();
  const postgres = await startPostgres(folder.path);
  await prepareDatabase({ owner: postgres, application: postgres.application });
  const pool = new pg.Pool({ ...postgres, max: 2 });
  const url = ({ user, host, database }: { user: string; host: string; database: string }) =>
    `postgres://${user}@localhost/${database}?host=${host}`;
  const start = (_: unknown, at: number) =>
    startServer({
      DATABASE_URL: url(postgres.application),
      DATABASE_MIGRATION_URL: url(postgres),
      DATA_DIR: `${folder.path}-${at}`,
      SESSION_SECRET: sessionSecret,
      LOG_LEVEL: "error",
    });
  const violations: Violation[] = [];
  try {
    const began = Date.now();
    const quiet = Math.ceil(began / minute) * minute + 6 * minute;
    const killed = quiet + 2 * minute;
    const moments = [new Date(quiet), new Date(killed)];
    await pool.query(people, [students, clockAtNine(quiet), clockAtNine(killed)]);
    for (const statement of things) await pool.query(statement, moments);
    const servers = await Promise.all(Array.from({ length: 2 }, start));
    const duePlans = async () =>
      (await pool.query("select 1 from reminder_plan where next_at <= now() limit 1")).rows.length;
    while ((await duePlans()) > 0 && Date.now() < quiet) await setTimeout(second);
    const planned = Date.now();
    if (planned >= quiet)
      violations.push({
        rule: "planned in time",
        detail: "things were not all planned before the first moment",
      });

    await setTimeout(killed - Date.now());
    for (let at = 0; at < kills; at++) await killOne(servers, at % 2, start);
    const expected = await expectedReminders(pool, moments);
    const deadline = Date.now() + 3 * minute;
    while (Date.now() < deadline && (await remindersOf(pool)) < expected) await setTimeout(second);
    const recovered = Date.now() - killed;
    // Another minute would reveal duplicate reminders.
    await setTimeout(minute + 10 * second);
    await Promise.all(servers.map((server) => server.stop()));

    const number = await remindersOf(pool);
    violations.push(...(await wrongReminders(pool, moments)));
    const [first, last] = await delays(pool, moments[0] ?? new Date());
    if (last > within)
      violations.push({ rule: "within a minute", detail: `a reminder came ${last} ms after its moment` });
    const seconds = (milliseconds: number) => (milliseconds / second).toFixed(1);
    const figures = `${open} open things planned in ${Math.round((planned - began) / second)} s, ${number} reminders of ${expected}, in quiet ${seconds(first)} to ${seconds(last)} s after their moment, through ${kills} kills after ${(recovered / second).toFixed(0)} s`;
    return { violations, figures };
  } finally {
    await pool.end();
    await postgres.stop();
    await folder.remove();
  }
}

type Start = (_: unknown, at: number) => Promise<Server>;

/** Kills a node while it may be working, and restarts it. */
async function killOne(servers: Server[], at: number, start: Start): Promise<void> {
  await setTimeout(2 * second);
  await servers[at]?.kill();
  servers[at] = await start(null, at);
}

const joinApplication = "join application on application.id = application_id";
/** Selects all open things, whoever must be reminded of them. */
const everything = `
  select 'task:' || id as thing, student_id, due_at from task
  union all select 'request:' || id, student_id, due_at from request
  union all select 'offer:' || offer.id, student_id, due_at from offer ${joinApplication}
  union all select 'deposit:' || deposit.id, student_id, deposit.due_at
    from offer_deposit deposit join offer on offer.id = deposit.id ${joinApplication}
  union all select 'condition:' || condition.id, student_id, condition.due_at
    from offer_condition condition join offer on offer.id = offer_id ${joinApplication}`;
/** Selects the things that are due for a reminder, with the rung. */
const dueRungs = `
  select thing, -ahead as rung, student_id as user_id from (${everything}) things
  cross join lateral (select round(extract(epoch from due_at - interval '15 hours'
    - case when substr(student_id, 2)::int % 2 = 0 then $1::timestamptz else $2::timestamptz end) / 86400)::int as ahead) as days
  where ahead in (${rungDays.join(", ")})`;

async function count(pool: pg.Pool, statement: string, values: unknown[] = []): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*) from (${statement}) rows`, values);
  return Number(rows[0]?.count);
}

const expectedReminders = (pool: pg.Pool, moments: Date[]) => count(pool, dueRungs, moments);
const isReminder = "kind in ('fallsDue', 'fallsDueSoon')";
const remindersOf = (pool: pg.Pool) => count(pool, "select from reminder");

/** Compares the reminders, bell entries and mails with those that were due. */
async function wrongReminders(pool: pg.Pool, moments: Date[]): Promise<Violation[]> {
  const reminders = "select thing, rung, user_id from reminder";
  const kind = "split_part(event_key, ':', 2)";
  const entries = `select ${kind} || ':' || (ids ->> (${kind} || 'Id')) as thing,
    split_part(event_key, ':', 4)::int as rung, user_id from notification where ${isReminder}`;
  const checks: [rule: string, statement: string, values?: unknown[]][] = [
    ["none missing", `${dueRungs} except ${reminders}`, moments],
    ["none but those due", `${reminders} except (${dueRungs})`, moments],
    ["an entry for each", `${dueRungs} except ${entries}`, moments],
    ["no entry twice", `${entries} except all ${reminders}`],
    [
      "one mail a day",
      `select user_id from notification where kind = 'fallsDue' group by user_id
      having count(distinct mail_id) <> 1 or count(mail_id) <> count(*)`,
    ],
    [
      "each mail queued once",
      `select mail_id::text from notification where mail_id is not null group by mail_id
       except all select data -> 'data' ->> 'mailId' from jobs.job where name = 'mail'`,
    ],
    [
      "no mail queued twice",
      `select data -> 'data' ->> 'mailId' from jobs.job where name = 'mail' group by 1 having count(*) > 1`,
    ],
  ];
  const violations: Violation[] = [];
  for (const [rule, statement, values] of checks) {
    const wrong = await count(pool, statement, values);
    if (wrong > 0) violations.push({ rule, detail: `${wrong} are wrong` });
  }
  return violations;
}

/** Returns the milliseconds from a moment until the first and the last reminder due then were written. */
async function delays(pool: pg.Pool, moment: Date): Promise<[first: number, last: number]> {
  const { rows } = await pool.query<{ first: string; last: string }>(
    `select extract(epoch from min(created_at) - $1::timestamptz) * 1000 as first,
       extract(epoch from max(created_at) - $1::timestamptz) * 1000 as last
     from notification where ${isReminder} and substr(user_id, 2)::int % 2 = 0`,
    [moment],
  );
  return [Number(rows[0]?.first), Number(rows[0]?.last)];
}
