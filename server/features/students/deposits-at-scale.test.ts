import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { firstDeposits } from "./list-students.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

test("a page of students does not read the deposits of others", async () => {
  const agent = await person(w, "agent", "approved");
  const { db } = w.services.database;
  await db.execute(sql`
    with student as (
      insert into "user" (id, name, email, role, status, assigned_agent_id)
      select 's' || n, 'Ada', 's' || n || '@example.org', 'student', 'active', ${agent.id}
      from generate_series(1, 10000) n returning id),
    application as (
      insert into application (id, student_id, program, highest_study_level, start_date, country_codes, additional_info, state)
      select id, id, 'Law', 'Postgraduate', 'Spring Intake (January)', '{}', '', 'visa' from student returning id),
    offer as (insert into offer (id, application_id) select id, id from application returning id)
    insert into offer_deposit (id, amount, currency, due_date, due_zone, due_whose, due_hard, due_at)
    select id, 400000, 'GBP', current_date, 'UTC', 'institution', false, now() from offer`);
  await w.asOwner("vacuum analyze");
  const students = Array.from({ length: 50 }, (_, at) => `s${at + 1}`);
  const { rows } = await db.execute<{ "QUERY PLAN": string }>(
    sql`explain ${firstDeposits(agent.id, students)}`,
  );
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).not.toContain("Seq Scan");
  const { students: page } = await agent.caller.api.students.list({ filter: "mine" });
  expect(page.map(({ deposit }) => deposit?.amount)).toEqual(students.map(() => 400_000));
});
