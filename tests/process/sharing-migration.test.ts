import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migratedDatabase } from "#tests/support/migrations.ts";

let client: pg.Client;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ client, remove } = await migratedDatabase("0057_sharing", async (before) => {
    const person = (id: string, role: string, status: string) =>
      before.query(
        `insert into "user" (id, name, email, role, status) values ($1, $1, $1 || '@example.org', $2, $3)`,
        [id, role, status],
      );
    for (const id of ["kofi", "ama"]) await person(id, "agent", "approved");
    for (const id of ["ada", "ben"]) await person(id, "student", "active");
    await before.query(
      `update "user" set sharing_stopped_with = 'kofi', sharing_stopped_at = '2026-03-04' where id = 'ada'`,
    );
  }));
});
afterAll(() => remove());

const agentsOf = async (student: string) =>
  (
    await client.query<{ agent: string }>(
      "select agent_id as agent from sharing where student_id = $1 order by agent",
      [student],
    )
  ).rows.map(({ agent }) => agent);
const formerColumn = async (student: string) =>
  (
    await client.query<{ agent: string | null }>(
      `select sharing_stopped_with as agent from "user" where id = $1`,
      [student],
    )
  ).rows[0]?.agent;

test("a student who had stopped sharing still withholds their documents from that agent", async () => {
  const { rows } = await client.query(
    "select student_id as student, agent_id as agent, stopped_at = '2026-03-04' as kept from sharing",
  );
  expect(rows).toEqual([{ student: "ada", agent: "kofi", kept: true }]);
});

test("a node of the previous version stops and resumes for all nodes, and opens nothing to another agent", async () => {
  await client.query(
    `update "user" set sharing_stopped_with = 'ama', sharing_stopped_at = now() where id = 'ada'`,
  );
  expect(await agentsOf("ada")).toEqual(["ama", "kofi"]);
  await client.query(
    `update "user" set sharing_stopped_with = null, sharing_stopped_at = null where id = 'ada'`,
  );
  expect(await agentsOf("ada")).toEqual(["kofi"]);
});

test("nodes of the previous version see a stop and a resume of this version", async () => {
  await client.query("insert into sharing values ('ben', 'kofi', now())");
  expect(await formerColumn("ben")).toBe("kofi");
  await client.query("delete from sharing where student_id = 'ben'");
  expect(await formerColumn("ben")).toBeNull();
});
