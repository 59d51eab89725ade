import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heartbeatEvent } from "#protocol/live-topic.ts";
import { notificationMail } from "#server/features/notifications/mails.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { bar, fellThrough, soldItem } from "#tests/support/sales.ts";
import { openStream } from "#tests/support/stream.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { sale, secondChance } from "./tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

type Item = { productId: string; seller: Person; other: Person };
const student = () => person(w, "student", "active");

/** Inserts an item whose buyer vanished and that another bidder can buy at the starting bid. */
async function itemOfVanishedBuyer(): Promise<Item> {
  const [seller, buyer, other] = await Promise.all([student(), student(), student()]);
  const { productId, saleId } = await soldItem(w, { seller, buyer, others: [[other, 42_000]] });
  await fellThrough(w, saleId);
  return { productId, seller, other };
}
const offer = ({ seller, productId }: Item) =>
  seller.caller.call("sales.offer", { productId, amount: 10_000 });
/** Offers an item to its runner-up, and returns the offer's id. */
async function offered(item: Item): Promise<string> {
  expect((await offer(item)).status).toBe(200);
  const [row] = await w.services.database.db
    .select({ id: secondChance.id })
    .from(secondChance)
    .where(eq(secondChance.productId, item.productId));
  return row?.id ?? "";
}
const salesOf = ({ productId }: Item) =>
  w.services.database.db.select().from(sale).where(eq(sale.productId, productId));

test("a barred seller can't make an offer, but one made before can still be accepted", async () => {
  const item = await itemOfVanishedBuyer();
  const early = await itemOfVanishedBuyer();
  const offerId = await offered(early);
  await bar(w, item.seller);
  await bar(w, early.seller);
  const refused = await offer(item);
  expect(refused.code).toBe("permission-denied");
  expect(refused.message).toContain("You can't bid or sell until");
  expect((await early.other.caller.call("sales.answerOffer", { offerId, accept: true })).status).toBe(200);
});

test("an offer whose seller is shut out makes no sale, and disappears from list, page and email immediately", async () => {
  const item = await itemOfVanishedBuyer();
  const offerId = await offered(item);
  const { other, productId } = item;
  const readOffers = async () => ({
    list: Object((await other.caller.call("sales.mine")).body).offers,
    page: Object((await other.caller.call("sales.ofProduct", { productId })).body).offer,
  });
  const before = await readOffers();
  expect(before).toMatchObject({ list: [{ productId }], page: { productId } });
  const [entry] = await w.services.database.db
    .select({ mailId: notification.mailId })
    .from(notification)
    .where(eq(notification.userId, other.id));
  const mail = async () => await notificationMail.write(w.services, { mailId: entry?.mailId ?? "" });
  expect(await mail()).toMatchObject({ to: other.email });
  const stream = await openStream(other.caller, "notifications");
  const nextMessage = async (): Promise<string | null> => {
    const name = await stream.next();
    return name === heartbeatEvent ? await nextMessage() : name;
  };

  const admin = await person(w, "admin", "active");
  const disable = (disabled: boolean) =>
    admin.caller.call("students.setDisabled", { userId: item.seller.id, disabled });
  await disable(true);
  expect(await nextMessage()).toBe("notifications");
  expect(await readOffers()).toEqual({ list: [], page: null });
  expect(await mail()).toBe(null);
  const answer = await other.caller.call("sales.answerOffer", { offerId, accept: true });
  expect(answer).toMatchObject({ code: "failed-precondition", message: "This offer is over." });
  expect(await salesOf(item)).toHaveLength(1);

  await disable(false);
  expect(await nextMessage()).toBe("notifications");
  expect(await readOffers()).toEqual(before);
  await stream.leave();
});
