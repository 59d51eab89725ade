import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { type NewNotification, notify } from "#server/features/notifications/commands.ts";
import { webhook, webhookDelivery } from "#server/features/notifications/tables.ts";
import { openWebhookReceiver } from "#tests/fakes/webhook-receiver.ts";
import { type Person, person } from "./factories.ts";
import { asNotification, type NotificationInput } from "./notification-input.ts";
import { until, type Wayfare } from "./wayfare.ts";

export const someEvents = ["application.moved", "document.uploaded", "student.assigned", "auction.outbid"];
type Receiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/** Returns a notification for an agent, with a new key. */
export const newNotification = ({ id }: Person, changes: Partial<NotificationInput> = {}): NewNotification =>
  asNotification({
    userId: id,
    kind: "studentAssigned",
    eventKey: randomUUID(),
    about: { student: "Kanarie Mensah" },
    ids: { studentId: "the-student" },
    path: "/manage-students",
    ...changes,
  });

export const received = (receiver: Receiver, number: number) =>
  until(() => (receiver.received.length >= number ? receiver.received : undefined));

const jobOfDelivery = "name = 'webhook' and data ->> 'deliveryId' = $1";

/** An agent's webhook with its own receiver, which the test closes. */
export class TestWebhook {
  readonly #w: Wayfare;
  readonly agent: Person;
  readonly receiver: Receiver;
  readonly id: string;
  readonly secret: string;

  private constructor(w: Wayfare, agent: Person, receiver: Receiver, added: { id: string; secret: string }) {
    this.#w = w;
    this.agent = agent;
    this.receiver = receiver;
    this.id = added.id;
    this.secret = added.secret;
  }

  static async add(w: Wayfare, who?: Person, events: readonly string[] = someEvents): Promise<TestWebhook> {
    const agent = who ?? (await person(w, "agent", "approved"));
    const receiver = await openWebhookReceiver();
    const { body } = await agent.caller.call("webhooks.add", { url: receiver.url, events });
    return new TestWebhook(w, agent, receiver, body as { id: string; secret: string });
  }

  /** Notifies the webhook's owner this many times. */
  async notify({
    times = 1,
    ...changes
  }: Partial<NotificationInput> & { times?: number } = {}): Promise<void> {
    const all = Array.from({ length: times }, () => newNotification(this.agent, changes));
    await this.#w.services.database.transaction((tx) => notify(this.#w.services, tx, ...all));
  }

  async stored() {
    const { db } = this.#w.services.database;
    const [row] = await db.select().from(webhook).where(eq(webhook.id, this.id));
    return row;
  }

  async deliveries() {
    return await this.#w.services.database.db
      .select()
      .from(webhookDelivery)
      .where(eq(webhookDelivery.webhookId, this.id))
      .orderBy(asc(webhookDelivery.createdAt));
  }

  /** Waits until the first delivery has this state after this many attempts. */
  async delivery(state: string, attempts: number) {
    return await until(async () => {
      const [row] = await this.deliveries();
      return row?.state === state && row.attempts === attempts ? row : undefined;
    });
  }

  /** Returns the jobs of a delivery, each with the seconds from this time until it is due. */
  async jobs(deliveryId: string, from = new Date()) {
    const { rows } = await this.#w.services.database.pool.query<{ state: string; seconds: number }>(
      `select state, extract(epoch from start_after - $2::timestamptz)::float as seconds
       from jobs.job where ${jobOfDelivery}`,
      [deliveryId, from],
    );
    return rows;
  }

  async retryIsQueued(deliveryId: string): Promise<void> {
    await until(async () => (await this.jobs(deliveryId)).some(({ state }) => state === "retry"));
  }

  /** Makes the next attempt due, once it is queued; `isLast` makes it the last attempt. */
  async retryNow(deliveryId: string, { isLast = false } = {}): Promise<void> {
    await this.retryIsQueued(deliveryId);
    await this.#w.services.database.pool.query(
      `update jobs.job set start_after = now()${isLast ? ", retry_count = retry_limit - 1" : ""}
       where ${jobOfDelivery} and state = 'retry'`,
      [deliveryId],
    );
  }
}
