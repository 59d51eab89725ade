import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pushSubscription } from "#server/features/push/tables.ts";
import { createMetrics } from "#server/metrics.ts";
import { openPushService } from "#tests/fakes/push-service.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pushesAreDone, pushesAreDue, pushesOf, subscribedBrowser } from "#tests/support/pushes.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { notify } from "./commands.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare({ variables: { WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(() => w.stop());

const notifyOfWin = ({ id }: Person, product = "Desk") =>
  w.services.database.transaction((tx) =>
    notify(w.services, tx, {
      userId: id,
      kind: "auctionWon",
      eventKey: randomUUID(),
      about: { product, price: "R1,250.00" },
      ids: { productId: randomUUID() },
      path: "/product/1",
    }),
  );

describe("a push service that", () => {
  /** Creates a subscription at a separate service, which answers everything with this status. */
  async function subscribeAt(status: number) {
    const own = await openPushService();
    own.answer(status);
    const who = await person(w, "student", "active");
    const browser = await subscribedBrowser(w, who, own);
    const { db } = w.services.database;
    const readRow = async () =>
      (await db.select().from(pushSubscription).where(eq(pushSubscription.userId, who.id)))[0];
    return { own, who, browser, readRow };
  }

  test.each([404, 410])("answers %i has its browser's subscription removed", async (status) => {
    const { own, who, readRow } = await subscribeAt(status);
    await notifyOfWin(who);
    await until(async () => (await readRow()) === undefined);
    await pushesAreDone(w, who);
    await notifyOfWin(who);
    expect(own.received).toHaveLength(1);
    await own.close();
  });

  test.each([429, 500, 503])("answers %i gets retries, until it accepts the message", async (status) => {
    const { own, who, browser, readRow } = await subscribeAt(status);
    await notifyOfWin(who);
    await until(async () => (await pushesOf(w, who)).includes("retry"));
    expect((await readRow())?.failedAt).toBeInstanceOf(Date);
    own.answer(201);
    await pushesAreDue(w, who);
    await pushesAreDone(w, who);
    expect(browser.shown.map(({ title }) => title)).toEqual(["You won Desk", "You won Desk"]);
    await until(async () => (await readRow())?.failedAt === null);
    await own.close();
  });

  test("keeps failing doesn't get retries forever", async () => {
    const { own, who, readRow } = await subscribeAt(503);
    await notifyOfWin(who);
    await until(async () => (await pushesOf(w, who)).includes("retry"));
    await pushesAreDue(w, who, { isLast: true });
    await pushesAreDone(w, who);
    expect(own.received).toHaveLength(2);
    expect((await readRow())?.failedAt).toBeInstanceOf(Date);
    await own.close();
  });

  test.each([400, 403, 413, 301])("refuses with %i gets no retries", async (status) => {
    const { own, who, readRow } = await subscribeAt(status);
    await notifyOfWin(who);
    await pushesAreDone(w, who);
    expect(own.received).toHaveLength(1);
    expect((await readRow())?.failedAt).toBeInstanceOf(Date);
    await own.close();
  });
});

test("neither log nor metrics contain an endpoint or a text", async () => {
  const service = await openPushService();
  const who = await person(w, "student", "active");
  const browser = await subscribedBrowser(w, who, service);
  await notifyOfWin(who, "Kanarienvogel");
  await pushesAreDone(w, who);
  expect(browser.texts).toHaveLength(1);
  const logged = JSON.stringify(w.log.filter(({ to }) => to === undefined));
  expect(logged).not.toContain(browser.subscription.endpoint);
  expect(logged).not.toContain("Kanarienvogel");
  const metrics = await createMetrics(w.services).metrics();
  expect(metrics).toContain('wayfare_pushes_total{outcome="sent"}');
  expect(metrics).not.toContain(new URL(browser.subscription.endpoint).host);
  await service.close();
});
