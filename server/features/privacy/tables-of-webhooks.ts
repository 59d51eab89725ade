import { sql } from "drizzle-orm";
import { webhook, webhookDelivery, webhookSecret } from "../notifications/tables.ts";
import type { TableOfPeople } from "./table-of-people.ts";

/** Webhooks of agents and admins, and the messages that were sent to them. */
export const tablesOfWebhooks: readonly TableOfPeople[] = [
  {
    table: webhookDelivery,
    download: {
      webhookDeliveries: (id) => sql`
        select url, type, ids, webhook_delivery.created_at as "at", webhook_delivery.state, attempts, status, problem
        from webhook_delivery join webhook on webhook.id = webhook_id
        where user_id = ${id} order by webhook_delivery.created_at, webhook_delivery.id`,
    },
    // Messages about the person that were sent to others are deleted too.
    erase: [
      ({ id }) => sql`
        delete from webhook_delivery
        where webhook_id in (select id from webhook where user_id = ${id}) or position(${id} in ids::text) > 0`,
    ],
  },
  {
    table: webhookSecret,
    omittedBecause: "It has the secrets that your webhooks sign with, which is useful only to a thief.",
    erase: [
      ({ id }) =>
        sql`delete from webhook_secret where webhook_id in (select id from webhook where user_id = ${id})`,
    ],
  },
  {
    table: webhook,
    download: {
      webhooks: (id) => sql`
        select url, events, state, stop_reason as "stoppedBecause", stopped_at as "stoppedAt", created_at as "addedAt"
        from webhook where user_id = ${id} order by created_at, id`,
    },
    erase: "cascade",
  },
];
