import { runStatement } from "#tests/support/run-statement.ts";
import { openFixture } from "./fixture.ts";
import { callAs } from "./manage-students.ts";
import { type Figure, median, milliseconds, p95, time } from "./measure.ts";
import { inTime } from "./pace.ts";

const [own, all] = [500, 20_000];
/** Number of open things: tasks, requests, and four for each offer (the reply, the deposit and two conditions). */
const [tasks, requests, offers] = [140_000, 20_000, 10_000];
const calls = 200;
const warmUp = 20;

/** Students, 500 of them the agent's; documents and applications of all. */
const students = `
  insert into "user" (id, name, email, role, status, assigned_agent_id)
  select 's' || n, 'Student ' || n, 'student-' || n || '@example.org', 'student', 'active',
    case when n <= ${own} then $1 end
  from generate_series(1, ${all}) n`;
const dueColumns = "due_date, due_zone, due_whose, due_hard, due_at";
const due = "current_date, 'UTC', 'institution', false, now() + (n % 1000 - 100) * interval '3 hours'";
const others = [
  `insert into task (id, student_id, title, text, owner, created_by, ${dueColumns})
   select gen_random_uuid(), 's' || 1 + n % ${all}, 'Task ' || n, '', 'student', 'nobody', ${due}
   from generate_series(1, ${tasks}) n`,
  `insert into request (id, student_id, kind, name, reason, blocks, created_by, ${dueColumns})
   select gen_random_uuid(), 's' || 1 + n % ${all}, 'other', 'Paper ' || n, '', false, 'nobody', ${due}
   from generate_series(1, ${requests}) n`,
  `insert into application (id, student_id, program, highest_study_level, country_codes, start_date, additional_info,
     state, updated_at)
   select 'a' || n, 's' || 1 + n % ${all}, 'Programme ' || n, 'Postgraduate', '{GB}',
     'Spring Intake (January)', '', case when n <= ${offers} then 'conditionalOffer' else 'inReview' end,
     now() - (n % 40) * interval '1 day'
   from generate_series(1, ${all * 2}) n`,
  `insert into offer (id, application_id, ${dueColumns})
   select 'o' || n, 'a' || n, ${due} from generate_series(1, ${offers}) n`,
  `insert into offer_deposit (id, amount, currency, ${dueColumns})
   select 'o' || n, 400000, 'GBP', ${due} from generate_series(1, ${offers}) n`,
  `insert into offer_condition (id, offer_id, place, text, kind, ${dueColumns})
   select 'c' || n, 'o' || 1 + n % ${offers}, n / ${offers}, 'Condition', 'other', ${due}
   from generate_series(0, ${offers * 2 - 1}) n`,
  `insert into document (id, student_id, kind, storage_key, original_name, media_type, size)
   select gen_random_uuid(), 's' || n, 'cv', 'documents/cv/s' || n, 'cv.pdf', 'application/pdf', 1000
   from generate_series(1, ${all}) n`,
];

/** Measures Today of an agent with 500 students among 20,000, with 200,000 open things in total. */
export async function today(): Promise<Figure[]> {
  const fixture = await openFixture();
  try {
    const { agentId, caller } = await callAs(fixture);
    const { pool } = fixture.services.database;
    await pool.query(students, [agentId]);
    for (const statement of others) await pool.query(statement);
    // All rows are new at the same time. Checking 200,000 for reminders would take both cores for a minute.
    await runStatement(fixture.owner, "truncate reminder_plan");
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
    const detail = `median ${milliseconds(median(times))}, with ${own} students`;
    return [await inTime("today of an agent, p95 ms", value, 30, detail)];
  } finally {
    await fixture.stop();
  }
}
