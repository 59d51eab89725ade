import { createHash, randomBytes, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { deniedAgent, user } from "#server/features/account/tables.ts";
import { apiKey } from "#server/features/api-keys/tables.ts";
import { notification, webhook, webhookDelivery } from "#server/features/notifications/tables.ts";
import { passkey } from "#server/features/second-factor/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { submit } from "#tests/support/applications.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { assign, upload } from "#tests/support/documents.ts";
import { fullProfile, type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { readyPicture } from "#tests/support/pictures.ts";
import { keysIn } from "#tests/support/stores.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";

/** The relations that somebody can have to a thing that an id names. */
export const relations = [
  "visitor",
  "disabled",
  "owner",
  "assignedAgent",
  "otherStudent",
  "otherAgent",
  "pendingAgent",
  "admin",
] as const;
export type Relation = (typeof relations)[number];

/** Somebody's thing: `words` are part of what is stored about it and its people, and of nothing else. */
export type Thing = { id: string | number; owner?: Person; assignedAgent?: Person; words: readonly string[] };

const word = () => `canary-${randomBytes(6).toString("hex")}`;

/** Creates a student with an agent, and a word in every field of theirs. */
async function student(w: Wayfare): Promise<Thing & { id: string; owner: Person; assignedAgent: Person }> {
  const [owner, assignedAgent] = await Promise.all([
    person(w, "student", "active"),
    person(w, "agent", "approved"),
  ]);
  await assign(w, owner.id, assignedAgent.id);
  const [name, place] = [word(), word()];
  const profile = { ...fullProfile, lastName: name, addressLine1: place, idNumber: place };
  await owner.caller.call("profile.save", { version: 0, profile });
  return { id: owner.id, owner, assignedAgent, words: [name, place, owner.email, assignedAgent.email] };
}

async function agent(w: Wayfare, status: "approved" | "pending"): Promise<Thing> {
  const owner = await person(w, "agent", status);
  const agency = word();
  await w.services.database.db.update(user).set({ agency }).where(eq(user.id, owner.id));
  return { id: owner.id, owner, words: [agency, owner.email] };
}

const idIn = (body: unknown): string => {
  const id = textIn(body, "id");
  if (id === "") throw new Error(`there is no id in ${JSON.stringify(body)}`);
  return id;
};

/** Functions that create a fresh thing of somebody's, for each kind that an id can name. */
export const things = {
  student,

  async studentWithoutAgent(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "student", "active");
    return { id: owner.id, owner, words: [owner.email] };
  },

  agent: (w: Wayfare) => agent(w, "approved"),
  applicant: (w: Wayfare) => agent(w, "pending"),

  async denial(w: Wayfare): Promise<Thing> {
    const [id, email] = [randomUUID(), `${word()}@example.org`];
    await w.services.database.db
      .insert(deniedAgent)
      .values({ id, email, password: "", deniedBy: "somebody" });
    return { id, words: [email] };
  },

  async document(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const name = word();
    const { id } = await upload(of.owner, { name: `${name}.pdf`, bytes: new Uint8Array(pdf()) });
    return { ...of, id, words: [...of.words, name] };
  },

  async application(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const program = word();
    return { ...of, id: idIn((await submit(of.owner, { program })).body), words: [...of.words, program] };
  },

  async shortlistItem(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const university = word();
    const item = { university, course: "Nursing", url: "https://leeds.example" };
    const { body } = await of.owner.caller.call("shortlist.add", item);
    return { ...of, id: idIn(body), words: [...of.words, university] };
  },

  async notification(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const [program, userId] = [word(), of.owner.id];
    const { db } = w.services.database;
    // The entry before it is deleted, so that there is an unused number.
    const [gone, entry] = await db
      .insert(notification)
      .values(
        [word(), word()].map((eventKey) => ({
          userId,
          kind: "applicationMoved" as const,
          eventKey,
          about: { program },
          path: "/applications",
        })),
      )
      .returning({ id: notification.id });
    await db.delete(notification).where(eq(notification.id, gone?.id ?? 0));
    return { ...of, id: entry?.id ?? 0, words: [...of.words, program] };
  },

  async device(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const [row] = await w.services.database.db
      .select({ id: session.id })
      .from(session)
      .where(eq(session.userId, of.owner.id));
    return { ...of, id: row?.id ?? "" };
  },

  async passkey(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const id = randomUUID();
    await w.services.database.db.insert(passkey).values({
      id,
      userId: of.owner.id,
      credentialId: word(),
      publicKey: "",
      counter: 0,
      transports: [],
      name: "Phone",
    });
    return { ...of, id };
  },

  async apiKey(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "agent", "approved");
    const [id, name] = [randomUUID(), word()];
    await w.services.database.db
      .insert(apiKey)
      .values({ id, userId: owner.id, name, hash: word(), start: "wf_000000", scopes: ["students:read"] });
    return { id, owner, words: [name] };
  },

  async product(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "student", "active");
    return { id: await product(w, owner), owner, words: [owner.email] };
  },

  /** Creates a picture that is uploaded, but in no product yet. */
  async picture(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "student", "active");
    return { id: await readyPicture(owner), owner, words: [owner.email] };
  },

  async webhook(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "agent", "approved");
    const url = `https://${word()}.invalid/`;
    const [row] = await w.services.database.db
      .insert(webhook)
      .values({ userId: owner.id, url, events: [] })
      .returning({ id: webhook.id });
    return { id: row?.id ?? "", owner, words: [owner.email, url] };
  },

  async webhookDelivery(w: Wayfare): Promise<Thing> {
    const of = await things.webhook(w);
    const [row] = await w.services.database.db
      .insert(webhookDelivery)
      .values({ webhookId: String(of.id), type: "webhook.test", ids: {}, state: "failed" })
      .returning({ id: webhookDelivery.id });
    return { ...of, id: row?.id ?? "" };
  },

  async failedJob(w: Wayfare): Promise<Thing> {
    const id = randomUUID();
    await w.services.database.db.execute(sql`
      insert into jobs.job (id, name, data, state, completed_on, policy, output, start_after)
      values (${id}, 'tidy-up', 'null', 'failed', now(), 'standard', '{}', now() + interval '1 day')`);
    return { id, words: [] };
  },
} satisfies Record<string, (w: Wayfare) => Promise<Thing>>;
export type ThingKind = keyof typeof things;

/**
 * Returns a caller with this relation to the thing, a new person unless it is the owner or the agent; null if there is
 * none.
 */
export async function whoIs(w: Wayfare, relation: Relation, thing: Thing): Promise<Caller | null> {
  switch (relation) {
    case "visitor":
      return new Caller(w.app);
    case "disabled":
      return (await person(w, "student", "disabled")).caller;
    case "owner":
      return thing.owner?.caller ?? null;
    case "assignedAgent":
      return thing.assignedAgent?.caller ?? null;
    case "otherStudent":
      return (await person(w, "student", "active")).caller;
    case "otherAgent":
      return (await person(w, "agent", "approved")).caller;
    case "pendingAgent":
      return (await person(w, "agent", "pending")).caller;
    case "admin":
      return (await person(w, "admin", "active")).caller;
  }
}

/** Filters for tables that a refusal may change: its own entry in the audit log, and the counts of limits. */
const ofRefusals: Record<string, string> = {
  audit: "action <> 'access-refused'",
  audit_chain: "audit_id in (select id from audit where action <> 'access-refused')",
  rate_limit: "false",
  brief_limit: "false",
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
       from "${name}" where ${ofRefusals[name] ?? "true"}`,
  );
  // Running jobs only change their state, but a new job gets a new id.
  const queued = `select 'jobs', count(*) || md5(coalesce(string_agg(id::text, '' order by id), ''))
                  from jobs.job where name in ('mail', 'webhook')`;
  const { rows } = await pool.query<{ name: string; rows: string }>([...parts, queued].join(" union all "));
  const keys = await keysIn(w);
  const names = createHash("sha256").update(keys.join("\n")).digest("hex");
  return { ...Object.fromEntries(rows.map((row) => [row.name, row.rows])), files: names };
}
