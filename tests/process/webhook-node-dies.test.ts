import { expect, inject, test } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { webhookDelivery } from "#server/features/notifications/tables.ts";
import { openWebhookReceiver, verified } from "#tests/fakes/webhook-receiver.ts";
import { person } from "#tests/support/factories.ts";
import { dataFolder, startServer } from "#tests/support/server-process.ts";
import { freshDatabase, until, wayfare } from "#tests/support/wayfare.ts";
import { received, someEvents } from "#tests/support/webhooks.ts";

test("when a node dies while it sends a webhook, another sends it under the same id", async () => {
  buildPages();
  const database = await freshDatabase();
  const on = database.address;
  const folder = await dataFolder();
  const secretOfAll = "a secret for several nodes, long enough";
  const { host, owner, application } = inject("postgres");
  const urlAs = (role: string) => `postgres://${role}@localhost/${on.database}?host=${host}`;
  const dying = await startServer({
    DATABASE_URL: urlAs(application),
    DATABASE_MIGRATION_URL: urlAs(owner),
    DATA_DIR: folder.path,
    SESSION_SECRET: secretOfAll,
    WEBHOOKS_ALLOW_PRIVATE: "on",
  });
  const receiver = await openWebhookReceiver();
  receiver.answer(() => {});
  const variables = { SESSION_SECRET: secretOfAll, WEBHOOKS_ALLOW_PRIVATE: "on" };
  // Sets the webhook up on a node that ends before anything is sent.
  const first = await wayfare({ variables, on });
  const agent = await person(first, "agent", "approved");
  const { body } = await agent.caller.call("webhooks.add", { url: receiver.url, events: someEvents });
  const { id, secret } = body as { id: string; secret: string };
  await first.stop();

  const answer = await fetch(`${dying.url}/rpc/webhooks/sendTest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie: agent.caller.cookie },
    body: JSON.stringify({ json: { id } }),
  });
  expect(answer.status).toBe(200);
  await received(receiver, 1);
  await dying.kill();
  receiver.answer(204);
  const second = await wayfare({ variables, on });
  // The queue gives up on a node a minute after it has taken a job; this simulates that minute.
  await second.services.database.pool.query(
    "update jobs.job set state = 'retry', start_after = now() where name = 'webhook' and state = 'active'",
  );
  await received(receiver, 2);
  const [one, two] = receiver.received;
  expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
  expect(two?.body).toBe(one?.body);
  expect(verified(secret, two ?? { headers: {}, body: "" })).toMatchObject({ type: "webhook.test" });
  await until(async () => {
    const [row] = await second.services.database.db.select().from(webhookDelivery);
    return row?.state === "delivered";
  });
  await second.stop();
  await receiver.close();
  await folder.remove();
  await database.drop();
});
