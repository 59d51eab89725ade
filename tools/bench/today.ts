import { runStatement } from "#tests/support/run-statement.ts";
import { openFixture } from "./fixture.ts";
import { callAs } from "./manage-students.ts";
import { type Figure, milliseconds, p95, time } from "./measure.ts";

const [own, all, open] = [500, 20_000, 200_000];
const calls = 200;
const warmUp = 20;

/** Students, 500 of them the agent's; documents and applications of all, and 200,000 open tasks. */
const students = `
  insert into "user" (id, name, email, role, status, assigned_agent_id)
  select 's' || n, 'Student ' || n, 'student-' || n || '@example.org', 'student', 'active',
    case when n <= ${own} then $1 end
  from generate_series(1, ${all}) n`;
const others = [
  `insert into task (id, student_id, title, text, owner, created_by, due_date, due_zone, due_whose, due_hard, due_at)
   select gen_random_uuid(), 's' || 1 + n % ${all}, 'Task ' || n, '', 'student', 'nobody',
     current_date, 'UTC', 'institution', false, now() + (n % 1000 - 100) * interval '3 hours'
   from generate_series(1, ${open}) n`,
  `insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info,
     state, updated_at)
   select gen_random_uuid(), 's' || 1 + n % ${all}, 'Programme ' || n, 'Postgraduate', '{GB}',
     'Spring Intake (January)', '', 'inReview', now() - (n % 40) * interval '1 day'
   from generate_series(1, ${all * 2}) n`,
  `insert into document (id, student_id, kind, storage_key, original_name, media_type, size)
   select gen_random_uuid(), 's' || n, 'cv', 'documents/cv/s' || n, 'cv.pdf', 'application/pdf', 1000
   from generate_series(1, ${all}) n`,
];

/** Today of an agent with 500 students among 20,000, with 200,000 open things in all. */
export async function today(): Promise<Figure[]> {
  const fixture = await openFixture();
  try {
    const { agentId, caller } = await callAs(fixture);
    const { pool } = fixture.services.database;
    await pool.query(students, [agentId]);
    for (const statement of others) await pool.query(statement);
    await runStatement(fixture.owner, "vacuum analyze");
    const times: number[] = [];
    for (let at = 0; at < warmUp + calls; at++) {
      const took = await time(async () => {
        const { status } = await caller.call("planner.today", {}, { address: `10.0.${at >> 8}.${at & 255}` });
        if (status !== 200) throw new Error(`today was refused with ${status}`);
      });
      if (at >= warmUp) times.push(took);
    }
    const value = p95(times);
    const detail = `p95 ${milliseconds(value)} with ${own} students`;
    return [{ name: "today of an agent, p95", value, limit: "at most 30 ms", holds: value <= 30, detail }];
  } finally {
    await fixture.stop();
  }
}
