import { createHash } from "node:crypto";
import { keysIn } from "#tests/support/stores.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";

/** Filters for tables that a refusal may change: its entry in the audit log, and the counters of limits. */
const unaffectedRows: Record<string, string> = {
  audit: "action <> 'access-refused'",
  audit_chain: "audit_id in (select id from audit where action <> 'access-refused')",
  rate_limit: "false",
  brief_limit: "false",
  // Leaves out links of invitations that were mailed meanwhile.
  verification: `value not like '%"invitation"%'`,
  // Leaves out runs that a job finishes for their owner meanwhile.
  bulk_run: "started_at is null",
  bulk_item: "run_id in (select id from bulk_run where started_at is null)",
  // Excludes plans, which a job processes every minute. Their subjects are compared in their own tables.
  reminder_plan: "false",
  // Leaves out deliveries that were sent to an owner meanwhile.
  webhook_delivery: "state = 'failed' and attempts = 0",
};

/**
 * Returns the number of rows and the newest writing transaction of every table, the jobs that were ever queued, and all
 * files. Two results are equal when nothing was written in between.
 */
export async function stored(w: Wayfare): Promise<Record<string, string>> {
  const { pool } = w.services.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) as rows
       from "${name}" where ${unaffectedRows[name] ?? "true"}`,
  );
  // Running jobs only change their state, but a new job gets a new id.
  const queued = `select 'jobs', count(*) || md5(coalesce(string_agg(id::text, '' order by id), ''))
                  from jobs.job where name in ('mail', 'webhook')`;
  const { rows } = await pool.query<{ name: string; rows: string }>([...parts, queued].join(" union all "));
  const keys = await keysIn(w);
  const names = createHash("sha256").update(keys.join("\n")).digest("hex");
  return { ...Object.fromEntries(rows.map((row) => [row.name, row.rows])), files: names };
}
