import { sql } from "drizzle-orm";
import { afterAll, beforeAll, test } from "vitest";
import { writeFileSync } from "node:fs";
import { type Person, person } from "#tests/factories.ts";
import { type Wayfare, wayfare } from "#tests/wayfare.ts";
let w: Wayfare; let boss: Person;
beforeAll(async () => { w = await wayfare(); boss = await person(w, "admin", "active"); });
afterAll(() => w.stop());
test("scale", async () => {
  const db = w.services.database.db;
  await db.execute(sql`set statement_timeout = 0`);
  const run = (s: string) => w.asOwner(s);
  await run(`insert into "user" (id, name, email, role, status, created_at) select 's-' || n, 'Name' || (n % 5000) || ' Family' || n, 's' || n || '@example.org', 'student', case when n % 1000 = 0 then 'disabled' else 'active' end, now() - n * interval '1 second' from generate_series(1, 200000) n`);
  await run(`insert into "user" (id, name, email, role, status, created_at, agency) select 'a-' || n, 'Agent' || n, 'a' || n || '@example.org', 'agent', 'approved', now() - n * interval '1 second', 'Agency ' || n from generate_series(1, 3000) n`);
  await run(`insert into application (id, student_id, program, highest_study_level, start_date, additional_info, state) select 'p-' || n, 's-' || (n % 200000 + 1), 'p' || n, 'Foundation', 'Spring Intake (January)', '', (array['submitted','inReview','visa','enrolled'])[n % 4 + 1] from generate_series(1, 200000) n`);
  await run(`insert into audit (action, actor_id, subject_id, at) select (array['sign-in','sign-out','document-viewed','identity-viewed'])[n % 4 + 1], 's-' || (n % 5000 + 1), 's-' || (n % 5000 + 1), now() - n * interval '1 second' from generate_series(1, 1000000) n`);
  await run(`insert into audit (action, at) values ('job-retried', now() - interval '11 days')`);
  await run(`analyze`);
  const lines: string[] = [];
  const time = async (name: string, procedure: string, input: object, body?: string) => {
    for (let at = 0; at < 3; at++) {
      const began = performance.now();
      const answer = await boss.caller.call(procedure, input, body ? { body } : {});
      lines.push(`${name} ${answer.status} ${answer.code ?? ""} ${(performance.now() - began).toFixed(0)} ms`);
    }
  };
  await time("overview", "overview.figures", {}, JSON.stringify({ json: { endOfDay: new Date() }, meta: [[1, "endOfDay"]] }));
  await time("accounts", "accounts.list", {});
  await time("accounts disabled", "accounts.list", { status: "disabled" });
  await time("accounts common", "accounts.list", { search: "family" });
  await time("accounts rare", "accounts.list", { search: "family199999" });
  await time("accounts none", "accounts.list", { search: "zzzqqq" });
  await time("accounts one letter", "accounts.list", { search: "z" });
  await time("accounts sign", "accounts.list", { search: "%" });
  await time("agents", "agents.list", { tab: "approved" });
  await time("agents rare", "agents.list", { tab: "approved", search: "agency 2999" });
  await time("audit", "audit.list", {});
  await time("audit rare action", "audit.list", { action: "job-retried" });
  await time("audit actor", "audit.list", { actor: "s-77" });
  await time("audit actor action", "audit.list", { actor: "s-77", action: "job-retried" });
  const began = performance.now();
  const response = await boss.caller.request("/files/audit.csv?action=sign-in", {});
  let bytes = 0; let rss = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) { bytes += chunk.length; rss = Math.max(rss, process.memoryUsage().heapUsed); }
  lines.push(`csv ${bytes} bytes ${(performance.now() - began).toFixed(0)} ms, heap ${(rss / 1e6).toFixed(0)} MB`);
  writeFileSync("/tmp/scale.txt", lines.join("\n"));
});
