import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contactEnds } from "#domain/deletion.ts";
import { user } from "#server/features/account/tables.ts";
import { notificationMail } from "#server/features/notifications/mails.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { notificationsExceptOutbid, storedProduct } from "#tests/support/auctions.ts";
import type { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import {
  fellThrough,
  moveClose,
  passTime,
  soldItem,
  storedSale,
  storedStrikes,
} from "#tests/support/sales.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { readErasureDates } from "../settlement/erased-on.ts";
import { processDueSales } from "./due-sales.ts";
import { sale, secondChance } from "./tables.ts";

let w: Wayfare;
let second: Wayfare;
let [seller, buyer, sipho, thabo, admin]: [Person, Person, Person, Person, Person] = [] as never;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  admin = await person(w, "admin", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const elsewhere = ({ caller }: Person): Caller => caller.on(second.app);
const student = () => person(w, "student", "active");

/** Creates a phone that Sipho, who bid up to R610, would have bought for R420 without the vanished buyer. */
async function phone() {
  [seller, buyer, sipho, thabo] = await Promise.all([student(), student(), student(), student()]);
  const item = await soldItem(w, {
    seller,
    buyer,
    amount: 61_100,
    others: [
      [sipho, 61_000],
      [thabo, 41_900],
    ],
  });
  await fellThrough(w, item.saleId);
  return item;
}
const offer = (productId: string, amount = 42_000, more: object = {}) =>
  seller.caller.call("sales.offer", { productId, amount, ...more });
const openOffer = async (productId: string) => {
  const rows = await w.services.database.db
    .select()
    .from(secondChance)
    .where(eq(secondChance.productId, productId))
    .orderBy(secondChance.at);
  const last = rows.at(-1);
  if (!last) throw new Error("there is no offer");
  return last;
};
const answer = (who: Person | Caller, offerId: string, accept: boolean) =>
  ("caller" in who ? who.caller : who).call("sales.answerOffer", { offerId, accept });
const expire = (offerId: string) =>
  w.services.database.db
    .update(secondChance)
    .set({ until: new Date(Date.now() - 1_000) })
    .where(eq(secondChance.id, offerId));
const chances = async (productId: string) =>
  Object(Object((await seller.caller.call("sales.ofProduct", { productId })).body)["secondChances"]);

test("the seller sees the next bidder and price, and an offer at another price is refused", async () => {
  const { productId } = await phone();
  expect(await chances(productId)).toEqual({
    open: null,
    next: { name: "Ada Obi", amount: 42_000 },
    why: "",
  });
  expect((await offer(productId, 61_000)).code).toBe("failed-precondition");
  expect((await offer(productId)).status).toBe(200);
  expect((await offer(productId)).message).toContain("has an offer already");
  expect(await chances(productId)).toMatchObject({ open: { amount: 42_000 }, next: null });
});

test("an accepted offer makes a sale at that price, with the bidder as the product's buyer", async () => {
  const { productId, saleId } = await phone();
  await offer(productId, 42_000, { hours: 72 });
  const mine = Object((await sipho.caller.call("sales.mine"))?.body);
  expect(mine.offers).toMatchObject([{ productId, amount: 42_000 }]);
  const onPage = async ({ caller }: Person) => (await caller.call("sales.ofProduct", { productId })).body;
  expect(await onPage(sipho)).toEqual({ sale: null, secondChances: null, offer: mine.offers[0] });
  expect(await onPage(thabo)).toEqual({ sale: null, secondChances: null, offer: null });
  expect(await onPage(seller)).toMatchObject({ offer: null });
  const { id, until, at } = await openOffer(productId);
  expect(until.getTime() - at.getTime()).toBe(72 * 3_600_000);
  expect((await answer(thabo, id, true)).code).toBe("not-found");
  expect((await answer(sipho, id, true)).status).toBe(200);
  expect(await storedProduct(w, productId)).toMatchObject({
    state: "sold",
    winnerId: sipho.id,
    winningBid: 42_000,
  });
  const sales = await w.services.database.db.select().from(sale).where(eq(sale.productId, productId));
  expect(sales).toHaveLength(2);
  expect(sales.find(({ id: each }) => each !== saleId)).toMatchObject({
    kind: "secondChance",
    state: "awaiting",
    buyerId: sipho.id,
    amount: 42_000,
  });
  await expect
    .poll(async () => await second.services.products.read(productId))
    .toMatchObject({ sale: "secondChance", winningBid: 42_000 });
  expect((await notificationsExceptOutbid(w, seller)).at(-1)).toMatchObject({
    kind: "secondChanceAnswered",
    about: { answer: "accepted" },
  });
  const contact = (who: Person | undefined) => who?.caller.call("auctions.relation", { productId });
  expect((await contact(sipho))?.body).toMatchObject({ contact: { email: seller.email } });
  expect((await contact(buyer))?.body).toMatchObject({ contact: null });
});

test("a leaving seller can be reached until 14 days after the second chance was accepted, not after the close", async () => {
  const { productId } = await phone();
  await moveClose(w, productId, 20 * 24);
  await offer(productId);
  await answer(sipho, (await openOffer(productId)).id, true);
  const deletionDueAt = new Date();
  const { db } = w.services.database;
  await db.update(user).set({ status: "leaving", deletionDueAt }).where(eq(user.id, seller.id));
  const [row] = await db
    .select()
    .from(sale)
    .where(and(eq(sale.productId, productId), eq(sale.kind, "secondChance")));
  const until = contactEnds(row?.madeAt ?? new Date(0));
  expect((await sipho.caller.call("auctions.relation", { productId })).body).toMatchObject({
    contact: { email: seller.email, leaves: until.toISOString() },
  });
  expect((await readErasureDates(db, [seller.id])).get(seller.id)).toEqual(until);
  await db
    .update(sale)
    .set({ state: "handedOver", dueAt: null })
    .where(eq(sale.id, row?.id ?? ""));
  expect((await readErasureDates(db, [seller.id])).get(seller.id)).toEqual(until);
});

test("a declined or expired offer has no penalty, and the next bidder in order can get an offer", async () => {
  const { productId } = await phone();
  await offer(productId);
  await answer(sipho, (await openOffer(productId)).id, false);
  expect(await chances(productId)).toMatchObject({ next: { amount: 10_000 } });
  await offer(productId, 10_000);
  const { id, bidderId } = await openOffer(productId);
  expect(bidderId).toBe(thabo.id);
  await expire(id);
  expect((await answer(thabo, id, true)).code).toBe("failed-precondition");
  await Promise.all([processDueSales(w.services), processDueSales(second.services)]);
  const notifications = await notificationsExceptOutbid(w, seller);
  expect(notifications.map(({ about }) => Object(about).answer)).toEqual(["declined", "no answer in time"]);
  expect(await storedStrikes(w, sipho)).toEqual([]);
  expect(await storedStrikes(w, thabo)).toEqual([]);
  expect(await chances(productId)).toMatchObject({ next: null, why: expect.stringContaining("Nobody else") });
});

test("an offer skips a bidder who opted out, whose bid still counts for the price", async () => {
  const { productId } = await phone();
  expect((await sipho.caller.call("sales.setSecondChances", { wanted: false }))?.status).toBe(200);
  expect(await chances(productId)).toMatchObject({ next: { amount: 41_900 } });
  await sipho.caller.call("sales.setSecondChances", { wanted: true });
  expect(await chances(productId)).toMatchObject({ next: { amount: 42_000 } });
});

test("an offer skips a bidder who lost access, whose bid no longer counts", async () => {
  const { productId } = await phone();
  await admin.caller.call("students.setDisabled", { userId: sipho.id, disabled: true });
  expect(await chances(productId)).toMatchObject({ next: { amount: 10_000 } });
});

test("an offer must be made within 60 days of the close, after a sale fell through because of its buyer", async () => {
  const { productId, saleId } = await phone();
  await moveClose(w, productId, 60 * 24);
  expect((await offer(productId)).message).toContain("60 days");
  await moveClose(w, productId, 60 * 24 - 1);
  await w.services.database.db.update(sale).set({ fault: "seller" }).where(eq(sale.id, saleId));
  expect((await offer(productId)).message).toContain("fell through by its buyer");
});

test("the mail has no amount, links only to My bids and the mail settings, and says that Wayfare never asks for money", async () => {
  const { productId } = await phone();
  await offer(productId);
  const [entry] = await w.services.database.db
    .select()
    .from(notification)
    .where(eq(notification.userId, sipho.id));
  const mail = await notificationMail.write(w.services, { mailId: entry?.mailId ?? "" });
  const { baseUrl } = w.environment;
  const addresses = new Set(`${mail?.text} ${mail?.html}`.match(/https?:[^\s"<>]+/g));
  expect([...addresses]).toEqual([`${baseUrl}/my-bids#second-chances`, `${baseUrl}/notifications#mails`]);
  expect(mail?.text).toContain("Wayfare never asks for money");
  expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/R\s?\d|420/);
  expect(`${mail?.text} ${mail?.html}`).not.toContain(productId);
});

describe("concurrently from two nodes:", () => {
  const offeredPhone = async () => {
    const { productId, saleId } = await phone();
    await offer(productId);
    return { productId, saleId, id: (await openOffer(productId)).id };
  };
  const outcomes = async (productId: string) => {
    const { state } = await openOffer(productId);
    const live = await w.services.database.db.select().from(sale).where(eq(sale.productId, productId));
    return { state, live: live.filter((each) => each.state !== "fellThrough").length };
  };

  test("two offers make one", async () => {
    const { productId } = await phone();
    const twin = elsewhere(seller);
    const answers = await Promise.all([
      offer(productId),
      twin.call("sales.offer", { productId, amount: 42_000 }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
  });

  test("either accepting or declining succeeds, not both", async () => {
    const { productId, id } = await offeredPhone();
    const answers = await Promise.all([answer(sipho, id, true), answer(elsewhere(sipho), id, false)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const accepted = answers[0]?.status === 200;
    expect(await outcomes(productId)).toEqual({
      state: accepted ? "accepted" : "declined",
      live: accepted ? 1 : 0,
    });
  });

  test("accepting twice makes one sale", async () => {
    const { productId, id } = await offeredPhone();
    await Promise.all([answer(sipho, id, true), answer(elsewhere(sipho), id, true)]);
    expect(await outcomes(productId)).toEqual({ state: "accepted", live: 1 });
  });

  test("either accepting or the seller's withdrawal succeeds, not both", async () => {
    const { productId, id } = await offeredPhone();
    const answers = await Promise.all([
      answer(sipho, id, true),
      elsewhere(seller).call("sales.withdrawOffer", { offerId: id }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const accepted = answers[0]?.status === 200;
    expect(await outcomes(productId)).toEqual({
      state: accepted ? "accepted" : "withdrawn",
      live: accepted ? 1 : 0,
    });
  });

  test("accepting an offer as it expires leaves it expired", async () => {
    const { productId, id } = await offeredPhone();
    await expire(id);
    const [late] = await Promise.all([answer(sipho, id, true), processDueSales(second.services)]);
    expect(late?.code).toBe("failed-precondition");
    await processDueSales(w.services);
    expect(await outcomes(productId)).toEqual({ state: "expired", live: 0 });
  });

  test("the vanished buyer's late answer is refused, and the second chance can be offered", async () => {
    [seller, buyer, sipho, thabo] = await Promise.all([student(), student(), student(), student()]);
    const { productId, saleId } = await soldItem(w, { seller, buyer, others: [[sipho, 61_000]] });
    await seller.caller.call("sales.report", { saleId, claim: "notPaid" });
    await passTime(w, saleId);
    const [, late] = await Promise.all([
      processDueSales(second.services),
      buyer.caller.call("sales.answer", { saleId, answer: "done" }),
      offer(productId, 10_000),
    ]);
    expect(late?.code).toBe("failed-precondition");
    await processDueSales(w.services);
    expect(await storedSale(w, saleId)).toMatchObject({ state: "fellThrough" });
    expect([200, 409]).toContain((await offer(productId, 10_000)).status);
    expect((await openOffer(productId)).bidderId).toBe(sipho.id);
  });

  test("accepting while being shut out makes a sale only if it comes first", async () => {
    const { productId, id } = await offeredPhone();
    const [accepted] = await Promise.all([
      answer(sipho, id, true),
      admin.caller.call("students.setDisabled", { userId: sipho.id, disabled: true }),
    ]);
    expect(await outcomes(productId)).toMatchObject({ live: accepted?.status === 200 ? 1 : 0 });
    const [account] = await w.services.database.db
      .select({ status: user.status })
      .from(user)
      .where(eq(user.id, sipho.id));
    expect(account?.status).toBe("disabled");
  });
});
