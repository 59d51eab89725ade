import type pg from "pg";
import { operator } from "#domain/audit.ts";
import { type DatabaseAddress, SteadyClient } from "#server/platform/database.ts";

export type Erasure = "erased" | "notFound" | "notDisabled";

type Account = { id: string; status: string };

/** In this order, since rows name each other. `$1` is the account's id; what is not named here goes with the account. */
const removals = [
  "delete from application_step where application_id in (select id from application where student_id = $1)",
  "delete from application where student_id = $1",
  "delete from document where student_id = $1",
  "delete from shortlist_item where student_id = $1",
  // What others were notified of about them.
  "delete from notification where position($1 in event_key || ' ' || path || ' ' || coalesce(topic, '')) > 0",
  "delete from verification where position($1 in identifier || ' ' || value) > 0",
  `delete from "user" where id = $1`,
];

/**
 * Erases a disabled account with its profile, documents, applications, shortlist and notifications. Files that no row
 * names any more are deleted by the nightly job. What stays: bids with their amounts, items that were sold, without
 * their seller, and audit entries, all of which know the account by its id alone.
 *
 * `owner` is the role that owns the tables: the application's may not remove a step of an application.
 */
export async function eraseAccount(owner: DatabaseAddress, email: string): Promise<Erasure> {
  const client = new SteadyClient(owner);
  await client.connect();
  try {
    await client.query("begin");
    const outcome = await erase(client, email.trim().toLowerCase());
    await client.query(outcome === "erased" ? "commit" : "rollback");
    return outcome;
  } finally {
    // Ending the connection undoes what was not committed.
    await client.end();
  }
}

async function erase(client: pg.Client, email: string): Promise<Erasure> {
  const { rows } = await client.query<Account>(`select id, status from "user" where email = $1 for update`, [
    email,
  ]);
  const [account] = rows;
  if (!account) return "notFound";
  // Disabling takes their items off sale, ends their sessions, and lets an agent's students go.
  if (account.status !== "disabled") return "notDisabled";
  await client.query("alter table application_step disable trigger application_step_append_only");
  for (const removal of removals) await client.query(removal, [account.id]);
  await client.query("alter table application_step enable trigger application_step_append_only");
  await client.query("insert into audit (action, subject_id, detail) values ('account-erased', $1, $2)", [
    account.id,
    { by: operator },
  ]);
  return "erased";
}
