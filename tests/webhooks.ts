import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { type News, notify } from "#server/features/notifications/commands.ts";
import { webhook, webhookDelivery } from "#server/features/notifications/tables.ts";
import { type Person, person } from "./factories.ts";
import { until, type Wayfare } from "./wayfare.ts";
import { openWebhookReceiver } from "./webhook-receiver.ts";

export const everything = ["application.moved", "document.uploaded", "student.assigned", "auction.outbid"];
type Receiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/** An agent's webhook to a receiver of its own, which a test closes. */
export async function hooked(w: Wayfare, who?: Person, events: readonly string[] = everything) {
  const agent = who ?? (await person(w, "agent", "approved"));
  const receiver = await openWebhookReceiver();
  const { body } = await agent.caller.call("webhooks.add", { url: receiver.url, events });
  const { id, secret } = body as { id: string; secret: string };
  return { agent, receiver, id, secret };
}

/** What an agent is notified of in a test, under a key of its own. */
export const news = ({ id }: Person, changes: Partial<News> = {}): News => ({
  userId: id,
  kind: "studentAssigned",
  eventKey: randomUUID(),
  about: { student: "Kanarie Mensah" },
  ids: { studentId: "the-student" },
  path: "/manage-students",
  ...changes,
});
export const notifyAll = (w: Wayfare, ...all: News[]) =>
  w.services.database.transaction((tx) => notify(w.services, tx, ...all));
export const deliveriesOf = (w: Wayfare, webhookId: string) =>
  w.services.database.db
    .select()
    .from(webhookDelivery)
    .where(eq(webhookDelivery.webhookId, webhookId))
    .orderBy(asc(webhookDelivery.createdAt));
export const storedWebhook = async (w: Wayfare, id: string) => {
  const [found] = await w.services.database.db.select().from(webhook).where(eq(webhook.id, id));
  return found;
};

export const jobOf = "name = 'webhook' and data ->> 'deliveryId' = $1";
/** Makes the next attempt due; `isLast`: as if all others had been made. */
export const due = (w: Wayfare, deliveryId: string, isLast = false) =>
  w.services.database.pool.query(
    `update jobs.job set start_after = now()${isLast ? ", retry_count = retry_limit - 1" : ""}
     where ${jobOf} and state = 'retry'`,
    [deliveryId],
  );
export const jobWaits = async (w: Wayfare, deliveryId: string) =>
  await until(async () => {
    const { rows } = await w.services.database.pool.query<{ state: string }>(
      `select state from jobs.job where ${jobOf} and state = 'retry'`,
      [deliveryId],
    );
    return rows.length > 0;
  });
/** The first delivery of a webhook, once it is as it is looked for. */
export const deliveryIn = (w: Wayfare, id: string, state: string, attempts: number) =>
  until(async () => {
    const [found] = await deliveriesOf(w, id);
    return found?.state === state && found.attempts === attempts ? found : undefined;
  });
export const received = (receiver: Receiver, number: number) =>
  until(() => (receiver.received.length >= number ? receiver.received : undefined));
