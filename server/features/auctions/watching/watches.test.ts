import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProductMark, WatchedItem } from "#contract/watching.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { bid, endAt, product, remove, storedProduct } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { notifyOfEnds } from "./notify-of-ends.ts";
import { auctionWatch } from "./tables.ts";

let w: Wayfare;
let second: Wayfare;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const student = () => person(w, "student", "active");
const minute = 60_000;
const inMinutes = (number: number) => new Date(Date.now() + number * minute);
const watch = (who: Person, productId: string) => who.caller.call("watching.watch", { productId });
const items = async (who: Person): Promise<WatchedItem[]> =>
  ((await who.caller.call("watching.items")).body as { items: WatchedItem[] }).items;
const marks = async (who: Person, ...productIds: string[]): Promise<ProductMark[]> =>
  ((await who.caller.call("watching.marks", { productIds })).body as { marks: ProductMark[] }).marks;

/** Makes a person a watcher of an item since two hours ago. */
const watchEarly = (who: Person, productId: string) =>
  w.services.database.db.insert(auctionWatch).values({ userId: who.id, productId, at: inMinutes(-120) });
async function endingNotifications(who: Person): Promise<string[]> {
  const rows = await w.services.database.db
    .select({ kind: notification.kind, path: notification.path })
    .from(notification)
    .where(eq(notification.userId, who.id));
  return rows.flatMap(({ kind, path }) => (kind === "watchedEnding" ? [path] : []));
}

describe("watching an item", () => {
  test("is listed until it is stopped, and only once if repeated", async () => {
    const [seller, ada] = [await student(), await student()];
    const [later, sooner] = [
      await product(w, seller, { productName: "Lamp", endDate: inMinutes(300) }),
      await product(w, seller, { productName: "Desk", endDate: inMinutes(200) }),
    ];
    const ended = await product(w, seller, { productName: "Vase", endDate: inMinutes(100) });
    for (const id of [later, sooner, ended, later]) expect((await watch(ada, id)).status).toBe(200);
    await endAt(w, ended, inMinutes(-1));
    await until(async () => (await storedProduct(w, ended)).state === "unsold");
    await bid(ada.caller, later, 900);
    expect(await items(ada)).toMatchObject([
      { id: sooner, state: "open", isWinning: false, bidCount: 0 },
      { id: later, state: "open", isWinning: true, price: 90_000 },
      { id: ended, state: "unsold" },
    ]);
    await remove(seller, sooner);
    await ada.caller.call("watching.unwatch", { productId: later });
    expect((await items(ada)).map(({ id }) => id)).toEqual([ended]);
  });

  test("is refused for an own, an ended and an unknown item, and to a visitor", async () => {
    const [seller, ada] = [await student(), await student()];
    const [own, over] = [await product(w, seller), await product(w, seller)];
    await endAt(w, over, inMinutes(-1));
    expect(await watch(seller, own)).toMatchObject({ status: 409 });
    expect(await watch(ada, over)).toMatchObject({ status: 409 });
    expect(await watch(ada, randomUUID())).toMatchObject({ status: 404 });
    expect(await new Caller(w.app).call("watching.watch", { productId: own })).toMatchObject({ status: 401 });
  });

  test("is counted only for the seller", async () => {
    const [seller, ada, bea] = [await student(), await student(), await student()];
    const id = await product(w, seller);
    for (const who of [ada, bea]) await watch(who, id);
    await bid(bea.caller, id, 200);
    expect(await marks(seller, id)).toMatchObject([{ isSeller: true, watchers: 2, isWatching: false }]);
    expect(await marks(ada, id)).toMatchObject([{ isSeller: false, watchers: null, isWatching: true }]);
    const cards = await new Caller(w.app).call("auctions.cards", { productIds: [id] });
    const [mark] = await marks(bea, id);
    expect(mark).toMatchObject({ hasBid: true, watchers: null });
    expect(cards.body).toMatchObject({ cards: [{ id, leader: mark?.tag, price: 20_000, bidCount: 1 }] });
    expect(JSON.stringify(cards.body)).not.toContain("watch");
  });
});

describe("an end within the hour", () => {
  test("is announced once to each watcher, whichever node does it", async () => {
    const seller = await student();
    const id = await product(w, seller, { endDate: inMinutes(59) });
    const watchers = [await student(), await student(), await student()];
    for (const who of watchers) await watchEarly(who, id);
    await Promise.all([w, second, w, second].map(({ services }) => notifyOfEnds(services)));
    await notifyOfEnds(w.services);
    for (const who of watchers) expect(await endingNotifications(who)).toEqual([`/product/${id}`]);
    await endAt(w, id, inMinutes(12 * 60));
    await notifyOfEnds(w.services);
    await endAt(w, id, inMinutes(30));
    await notifyOfEnds(w.services);
    for (const who of watchers) expect(await endingNotifications(who)).toHaveLength(1);
  });

  test("that moves before it is announced is announced for the new time", async () => {
    const [seller, ada] = [await student(), await student()];
    const id = await product(w, seller, { endDate: inMinutes(61) });
    await watchEarly(ada, id);
    await endAt(w, id, inMinutes(12 * 60));
    await notifyOfEnds(w.services);
    expect(await endingNotifications(ada)).toEqual([]);
    await endAt(w, id, inMinutes(55));
    await notifyOfEnds(w.services);
    expect(await endingNotifications(ada)).toEqual([`/product/${id}`]);
  });

  test("is not announced to a leader, or to a watcher who began within the hour", async () => {
    const [seller, leader, late] = [await student(), await student(), await student()];
    const id = await product(w, seller, { endDate: inMinutes(50) });
    await bid(leader.caller, id, 200);
    await watchEarly(leader, id);
    await watch(late, id);
    await notifyOfEnds(w.services);
    await bid((await student()).caller, id, 300);
    await notifyOfEnds(w.services);
    expect(await endingNotifications(leader)).toEqual([]);
    expect(await endingNotifications(late)).toEqual([]);
  });
});
