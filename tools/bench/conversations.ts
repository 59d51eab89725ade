import { runStatement } from "#tests/support/run-statement.ts";
import { openFixture } from "./fixture.ts";
import { callAs } from "./manage-students.ts";
import { type Figure, median, milliseconds, p99, time } from "./measure.ts";
import { inTime } from "./pace.ts";

/** Number of students of the consultancy and of the agent; each has ten conversations. */
const [students, agentStudents] = [5_000, 500];
const calls = 300;
const warmUp = 50;

const ids = `md5('student' || n)`;
const people = `
  insert into "user" (id, name, email, role, status, country, phone, assigned_agent_id)
  select ${ids}, 'Student ' || n, 'student-' || n || '@example.org', 'student', 'active', 'Ghana', '',
    case when n <= $2 then $1 end
  from generate_series(1, $3::int) n`;
const applications = `
  insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info, state)
  select md5('application' || n || ' ' || m), ${ids}, 'MSc ' || m, 'Postgraduate', '{}', 'Spring Intake (January)', '', 'inReview'
  from generate_series(1, $1::int) n cross join generate_series(1, 9) m`;
// One in ten waits for the staff.
const threads = `
  insert into thread (student_id, application_id, last_number, last_at, waiting, waiting_since)
  select ${ids}, case when m > 0 then md5('application' || n || ' ' || m) end, 6, at,
    case when (n + m) % 10 = 0 then 'staff' end, case when (n + m) % 10 = 0 then at end
  from generate_series(1, $1::int) n cross join generate_series(0, 9) m
  cross join lateral (select now() - make_interval(secs => (n * 7919 + m * 104729) % 5000000) as at) as time`;
const messages = `
  insert into message (thread_id, number, author_id, side, text, key, at)
  select thread.id, m, student_id, 'student', repeat('Hello ', 20), gen_random_uuid(), last_at
  from thread cross join generate_series(1, 6) m`;
// The agent has read nine in ten.
const readers = `
  insert into thread_reader (thread_id, user_id, read_up_to)
  select thread.id, $1, case when ('x' || left(md5(thread.id::text), 4))::bit(16)::int % 10 = 0 then 3 else 6 end from thread`;

/** Reads one thread by its id, as the simplest possible statement. */
const bare = "select id, last_number, last_at from thread where id = $1";

/** Measures the worklist and the counts of an agent with 500 students and 5,000 conversations, of 50,000 in total. */
export async function conversations(): Promise<Figure[]> {
  const fixture = await openFixture();
  try {
    const { pool } = fixture.services.database;
    const { agentId, caller } = await callAs(fixture);
    await pool.query(people, [agentId, agentStudents, students]);
    await pool.query(applications, [students]);
    await pool.query(threads, [students]);
    await pool.query(messages);
    await pool.query(readers, [agentId]);
    await runStatement(fixture.owner, "vacuum analyze");
    const { rows } = await pool.query<{ id: string }>("select id from thread limit 1");
    const works: Record<string, () => Promise<unknown>> = {
      bare: () => pool.query(bare, [rows[0]?.id]),
      "waiting for us": () => listed(() => caller.call("conversations.list", { filter: "waiting" })),
      "all conversations": () => listed(() => caller.call("conversations.list", {})),
      counts: () => listed(() => caller.call("conversations.counts", {})),
    };
    const times = new Map(Object.keys(works).map((name): [string, number[]] => [name, []]));
    for (let at = 0; at < warmUp + calls; at++)
      for (const [name, ask] of Object.entries(works)) {
        const took = await time(ask);
        if (at >= warmUp) times.get(name)?.push(took);
      }
    const bareTime = median(times.get("bare") ?? []);
    const figures: Figure[] = [];
    for (const [name, all] of times) {
      if (name === "bare") continue;
      const value = median(all);
      const detail = `p99 ${milliseconds(p99(all))}, ${(value / bareTime).toFixed(1)} times a bare statement (${milliseconds(bareTime)})`;
      figures.push(await inTime(`${name}, ms`, value, 20, detail));
    }
    return figures;
  } finally {
    await fixture.stop();
  }
}

async function listed(call: () => Promise<{ status: number }>): Promise<void> {
  const { status } = await call();
  if (status !== 200) throw new Error(`the call was refused with ${status}`);
}
