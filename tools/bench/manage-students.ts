import { randomUUID } from "node:crypto";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import type { Caller } from "#tests/support/caller.ts";
import { runStatement } from "#tests/support/run-statement.ts";
import { type Fixture, openFixture, password } from "./fixture.ts";
import { type Figure, milliseconds, p99, time } from "./measure.ts";
import { inTime } from "./pace.ts";

const [few, many] = [1_000, 100_000];
const calls = 1_000;
const warmUp = 200;

/** Number of agents who send requests in turn: one alone would reach the limit on calls. */
const people = 4;
/** Milliseconds within which a filtered list with its number, or the figures, must be answered at 100,000 students. */
const within = 500;

/** Students with realistic names, addresses and countries; one in ten has an agent. */
const generate = `
  insert into "user" (id, name, email, role, status, country, phone, assigned_agent_id)
  select gen_random_uuid(),
         initcap(substr(md5('f' || n), 1, 4 + n % 5)) || ' ' || initcap(substr(md5('l' || n), 1, 5 + n % 6)),
         'student-' || n || '@example.org', 'student', 'active', 'Country ' || n % 190, '+44 20 ' || n,
         case when n % 10 = 0 then ($1::text[])[1 + n / 10 % cardinality($1)] end
  from generate_series(1, $2::int) n`;

const dueColumns = "due_date, due_zone, due_whose, due_hard, due_at";
const due = "current_date, 'UTC', 'institution', false, now() + (n % 100 - 10) * interval '1 day'";

/**
 * Two thirds of the students have an application, a conversation and a task, and a third a document. Those who wait for
 * a visa have a deposit to pay.
 */
const generateWork = [
  `insert into application (id, student_id, program, highest_study_level, start_date, country_codes, additional_info, state)
   select 'a' || number, id, 'Law', 'Postgraduate',
          (array['Fall Intake (August or September)', 'Spring Intake (January)'])[1 + number % 2],
          case when number % 7 = 0 then array['GB', 'US'] else array['CA'] end, '',
          (array['submitted', 'inReview', 'visa', 'enrolled', 'rejected'])[1 + number % 5]
   from (select id, row_number() over () as number from "user" where role = 'student') student where number % 3 > 0`,
  `insert into document (id, student_id, kind, storage_key, original_name, media_type, size, state)
   select 'd' || number, id, 'cv', 'd' || number, 'cv.pdf', 'application/pdf', 1,
          (array['uploaded', 'approved', 'rejected'])[1 + number % 3]
   from (select id, row_number() over () as number from "user" where role = 'student') student where number % 3 = 0`,
  `insert into thread (student_id, last_number, last_at, waiting, waiting_since)
   select student_id, 1, at, case when number % 10 = 0 then 'staff' end, case when number % 10 = 0 then at end
   from (select student_id, number, now() - (number % 20) * interval '1 day' as at
     from (select student_id, row_number() over () as number from application) application) thread`,
  `insert into task (id, student_id, title, text, owner, created_by, ${dueColumns})
   select gen_random_uuid(), student_id, 'Task', '', 'student', 'nobody', ${due}
   from (select student_id, row_number() over () as n from application) application`,
  `insert into offer (id, application_id, ${dueColumns})
   select 'o' || n, id, ${due}
   from (select id, row_number() over () as n from application where state = 'visa') application`,
  `insert into offer_deposit (id, amount, currency, ${dueColumns})
   select id, 400000, 'GBP', ${dueColumns} from offer`,
];

async function addStudents({ services, owner }: Fixture, agents: string[], number: number): Promise<void> {
  await services.database.pool.query(generate, [agents, number]);
  for (const statement of generateWork) await services.database.pool.query(statement);
  // All rows are new at the same time. Checking so many for reminders would take both cores for a minute.
  await runStatement(owner, "truncate reminder_plan");
  await runStatement(owner, "vacuum analyze");
}

/** Returns one of 4,096 parts of a name with which generated names begin or continue, never the same twice in a row. */
const partOfName = (at: number) => ((at * 2_654_435_761) % 4096).toString(16).padStart(3, "0");

const staff = {
  agent: { role: "agent", status: "approved" },
  admin: { role: "admin", status: "active" },
} as const;

export async function callAs(
  fixture: Fixture,
  role: keyof typeof staff = "agent",
): Promise<{ agentId: string; caller: Caller }> {
  const { passwords, database } = fixture.services;
  const email = `${randomUUID()}@example.org`;
  const hash = await passwords.hash(password);
  const account = { ...staff[role], email, firstName: "Kofi", lastName: "Mensah" };
  const agentId = await database.transaction((tx) => createAccount(tx, account, hash));
  const caller = fixture.caller();
  await caller.call("account.signIn", { email, password });
  return { agentId, caller };
}

const questions: Record<string, (at: number) => object> = {
  page: (at) => ({
    sort: ["name", "email", "country"][at % 3],
    direction: ["ascending", "descending"][at % 2],
    filter: ["all", "unassigned", "mine"][Math.floor(at / 6) % 3],
  }),
  search: (at) => ({ search: partOfName(at) }),
};

const states = ["submitted", "inReview", "visa", "enrolled", "noApplication", "documentsToReview"];
const waits = [
  { waiting: "overdue" },
  { waiting: "messages" },
  { waiting: "quiet" },
  { deposit: "dueOrOverdue" },
  { deposit: "overdue" },
];
/** Combines filters: of an application, of documents, of waiting work, and none of them. */
const filtered = (at: number): object => ({
  ...(at % 4 < 2 && waits[at % 5]),
  ...(at % 4 > 0 && { situation: states[at % 6] }),
  ...(at % 6 < 4 && at % 2 === 0 && { intake: "Spring Intake (January)" }),
  ...(at % 5 === 0 && { documents: ["missing", "rejected"][at % 2] }),
  ...(at % 7 === 0 && at % 6 < 4 && { destination: "GB" }),
});

/** Measures both fixtures in turn, to share slow moments; returns the slowest hundredth of each in milliseconds. */
async function measure(
  fixtures: readonly (readonly Caller[])[],
  input: (at: number) => object,
  procedure = "students.list",
): Promise<number[]> {
  const times = fixtures.map((): number[] => []);
  for (let at = 0; at < warmUp + calls; at++)
    for (const [place, callers] of fixtures.entries()) {
      const caller = callers[at % callers.length];
      if (!caller) throw new Error("nobody asks");
      const took = await time(async () => {
        // Uses another address each time: the cost of a search counts here, not how many are allowed.
        const address = `10.${place}.${at >> 8}.${at & 255}`;
        const { status } = await caller.call(procedure, input(at), { address });
        if (status !== 200) throw new Error(`${procedure} was refused with ${status}`);
      });
      if (at >= warmUp) times[place]?.push(took);
    }
  return times.map(p99);
}

/** Opens a fixture with this many students, and agents. */
async function fixtureOf(students: number) {
  const fixture = await openFixture();
  const agents = [];
  for (let number = 0; number < people; number++) agents.push(await callAs(fixture));
  const ids = agents.map(({ agentId }) => agentId);
  await addStudents(fixture, ids, students);
  return { fixture, callers: agents.map(({ caller }) => caller) };
}

/** Measures how much slower Manage Students' slow calls are at 100,000 students than at 1,000. */
export async function manageStudents(): Promise<Figure[]> {
  // Two fixtures, because the other one's data would count too.
  const [small, large] = [await fixtureOf(few), await fixtureOf(many)];
  try {
    const figures: Figure[] = [];
    for (const [name, input] of Object.entries(questions)) {
      const [atFew = 0, atMany = 0] = await measure([small.callers, large.callers], input);
      const value = atMany / atFew;
      const detail = `p99 ${milliseconds(atMany)} at ${many}, ${milliseconds(atFew)} at ${few}`;
      const limit = "at most 1.5";
      figures.push({ name: `students ${name}, p99 ratio`, value, limit, holds: value <= 1.5, detail });
    }
    const { caller: admin } = await callAs(large.fixture, "admin");
    for (const [name, [value = 0], detail] of [
      ["filtered", await measure([large.callers], filtered), "with their number"],
      [
        "counted",
        await measure([[...large.callers, admin]], () => ({}), "students.figures"),
        "of agents and an admin",
      ],
    ] as const)
      figures.push(await inTime(`students ${name}, p99 ms`, value, within, `${detail}, at ${many}`));
    return figures;
  } finally {
    await small.fixture.stop();
    await large.fixture.stop();
  }
}
