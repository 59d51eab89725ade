import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { deniedAgent } from "#server/features/account/tables.ts";
import { apiKey } from "#server/features/api-keys/tables.ts";
import { notification, webhook, webhookDelivery } from "#server/features/notifications/tables.ts";
import { passkey } from "#server/features/second-factor/tables.ts";
import { session } from "#server/features/sessions/tables.ts";
import { auctionReport } from "#server/features/trade-reports/tables.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller, textIn } from "#tests/support/caller.ts";
import { assign } from "#tests/support/documents.ts";
import { person } from "#tests/support/factories.ts";
import { readyPicture } from "#tests/support/pictures.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { catalogueThings } from "./catalogue-things.ts";
import { guidanceThings } from "./guidance-things.ts";
import { programmeThings } from "./programme-things.ts";
import { salesThings } from "./sales-things.ts";
import { agent, student, type Thing, word } from "./thing.ts";

export type { Thing } from "./thing.ts";

/** The relations that a caller can have to a thing that an id names. */
export const relations = [
  "visitor",
  "disabled",
  "owner",
  "assignedAgent",
  "stoppedAgent",
  "otherStudent",
  "otherAgent",
  "pendingAgent",
  "admin",
] as const;
export type Relation = (typeof relations)[number];

/** Functions that create a new thing with an owner, for each kind that an id can name. */
export const things = {
  student,
  ...guidanceThings,
  ...programmeThings,
  ...salesThings,
  ...catalogueThings,

  agent: (w: Wayfare) => agent(w, "approved"),
  applicant: (w: Wayfare) => agent(w, "pending"),

  async denial(w: Wayfare): Promise<Thing> {
    const [id, email] = [randomUUID(), `${word()}@example.org`];
    await w.services.database.db
      .insert(deniedAgent)
      .values({ id, email, password: "", deniedBy: "somebody" });
    return { id, words: [email] };
  },

  async notification(w: Wayfare): Promise<Thing> {
    const of = await student(w);
    const [program, userId] = [word(), of.owner.id];
    const { db } = w.services.database;
    // Deletes the previous entry, so that there is an unused number.
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

  /** Creates a draft of an item. */
  async itemDraft(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "student", "active");
    const productName = word();
    const form = { productName };
    const { body } = await owner.caller.call("auctions.saveDraft", { form, images: [] });
    return { id: textIn(body, "draftId"), owner, words: [productName] };
  },

  /** Creates an unanswered question about something that its owner sells. */
  async question(w: Wayfare): Promise<Thing> {
    const [owner, asker] = [await person(w, "student", "active"), await person(w, "student", "active")];
    const [productId, text] = [await product(w, owner), word()];
    const { body } = await asker.caller.call("auctions.ask", { productId, text });
    return { id: textIn(body, "id"), owner, words: [text, owner.email, asker.email] };
  },

  async savedSearch(w: Wayfare): Promise<Thing> {
    const owner = await person(w, "student", "active");
    const name = word();
    const filters = { search: "desk" };
    const { body } = await owner.caller.call("watching.saveSearch", { name, filters, mail: "never" });
    return { id: textIn(body, "id"), owner, words: [owner.email, name] };
  },

  async report(w: Wayfare): Promise<Thing> {
    const [owner, reporter] = [await person(w, "student", "active"), await person(w, "student", "active")];
    const [productId, text] = [await product(w, owner), word()];
    await reporter.caller.call("tradeReports.send", { subject: "seller", productId, reason: "other", text });
    const [row] = await w.services.database.db
      .select({ id: auctionReport.id })
      .from(auctionReport)
      .where(eq(auctionReport.productId, productId));
    return { id: row?.id ?? "", words: [text, reporter.email] };
  },

  /** Creates an uploaded picture that no product uses yet. */
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
    // The student's agent, with whom the student has stopped sharing.
    case "stoppedAgent":
      return await stoppedAgentOf(w, thing);
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

/** Gives the thing's student another agent, and stops sharing with that agent. */
async function stoppedAgentOf(w: Wayfare, { owner, assignedAgent }: Thing): Promise<Caller | null> {
  if (!owner || !assignedAgent) return null;
  const agent = await person(w, "agent", "approved");
  await assign(w, owner.id, agent.id);
  await owner.caller.call("students.setSharing", { shares: false });
  return agent.caller;
}
