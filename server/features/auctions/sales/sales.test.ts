import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notificationText } from "#domain/notification.ts";
import { user } from "#server/features/account/tables.ts";
import { bid, notificationsExceptOutbid, product, storedProduct } from "#tests/support/auctions.ts";
import type { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { eventsOf, moveClose, passTime, soldItem, storedSale, storedStrikes } from "#tests/support/sales.ts";
import { soldByTraders, traders } from "#tests/support/traders.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settle } from "../settlement/settle.ts";
import { auctionBidding } from "../tables.ts";
import { processDueSales } from "./due-sales.ts";
import { sale, saleEvent, secondChance } from "./tables.ts";

let w: Wayfare;
let second: Wayfare;
let [seller, buyer, other, admin]: [Person, Person, Person, Person] = [] as never;
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
const sold = async (changes: Parameters<typeof soldByTraders>[1] = {}) => {
  const deal = await soldByTraders(w, changes);
  ({ seller, buyer, other } = deal);
  return deal;
};
const say = (who: Person | Caller, act: string, saleId: string, more: object = {}) =>
  ("caller" in who ? who.caller : who).call(`sales.${act}`, { saleId, ...more });
const report = (who: Person | Caller, saleId: string, claim = "notPaid") =>
  say(who, "report", saleId, { claim });
const viewOf = async ({ caller }: Person, productId: string) =>
  (await caller.call("sales.ofProduct", { productId })).body;
const disable = (who: Person, disabled = true) =>
  admin.caller.call("students.setDisabled", { userId: who.id, disabled });

test("the close makes a sale in its own transaction, once for two nodes", async () => {
  ({ seller, buyer, other } = await traders(w));
  const id = await product(w, seller);
  await bid(buyer.caller, id, 200);
  await w.services.database.db
    .update(auctionBidding)
    .set({ endsAt: sql`clock_timestamp()` })
    .where(eq(auctionBidding.productId, id));
  await Promise.all([settle(w.services, id), settle(second.services, id)]);
  const rows = await w.services.database.db.select().from(sale).where(eq(sale.productId, id));
  const { closedAt } = await storedProduct(w, id);
  expect(rows).toEqual([
    expect.objectContaining({
      sellerId: seller.id,
      buyerId: buyer.id,
      amount: 20_000,
      kind: "auction",
      state: "awaiting",
      madeAt: closedAt,
      dueAt: null,
    }),
  ]);
  expect(await eventsOf(w, rows[0]?.id ?? "")).toEqual(["made"]);
});

test("both sides confirm the handover concurrently on two nodes, and the sale is settled once", async () => {
  const { saleId } = await sold({ hoursAgo: 1 });
  const answers = await Promise.all([
    say(seller, "handOver", saleId),
    say(elsewhere(buyer), "handOver", saleId),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await storedSale(w, saleId)).toMatchObject({ state: "handedOver", dueAt: null, fault: null });
  expect(await eventsOf(w, saleId)).toEqual(["made", "saidHandedOver", "saidHandedOver"]);
  expect((await say(seller, "handOver", saleId)).code).toBe("failed-precondition");
});

describe("a report without an answer", () => {
  test("makes the sale fall through once, after 48 hours, with a strike, a notification to both sides and a note on the page", async () => {
    const { productId, saleId } = await sold();
    const before = await second.services.products.read(productId);
    expect(before?.sale).toBeUndefined();
    expect((await report(seller, saleId)).status).toBe(200);
    const reported = await storedSale(w, saleId);
    expect((reported.dueAt?.getTime() ?? 0) - (reported.reportedAt?.getTime() ?? 0)).toBe(48 * 3_600_000);
    await passTime(w, saleId);
    const late = await say(buyer, "answer", saleId, { answer: "done" });
    expect(late.code).toBe("failed-precondition");
    await Promise.all([
      processDueSales(w.services),
      processDueSales(second.services),
      processDueSales(w.services),
    ]);
    expect(await storedSale(w, saleId)).toMatchObject({ state: "fellThrough", fault: "buyer" });
    expect(await eventsOf(w, saleId)).toEqual(["made", "reported", "silent"]);
    expect(await storedStrikes(w, buyer)).toHaveLength(1);
    expect(await storedStrikes(w, seller)).toHaveLength(0);
    expect((await notificationsExceptOutbid(w, buyer)).map(({ kind }) => kind)).toEqual(["saleFellThrough"]);
    expect((await notificationsExceptOutbid(w, seller)).map(({ kind }) => kind)).toEqual(["saleFellThrough"]);
    await expect.poll(async () => (await second.services.products.read(productId))?.sale).toBe("fellThrough");
  });

  test("gives no strike to a buyer whom an admin has shut out, and doesn't make the seller wait", async () => {
    const { saleId } = await sold({ hoursAgo: 1 });
    expect((await report(seller, saleId)).code).toBe("failed-precondition");
    await disable(buyer);
    expect((await report(seller, saleId)).status).toBe(200);
    expect(await storedSale(w, saleId)).toMatchObject({ state: "fellThrough", fault: "buyer" });
    expect(await storedStrikes(w, buyer)).toEqual([]);
    expect(await eventsOf(w, saleId)).toEqual(["made", "accountLost"]);
  });

  test("gives a buyer who is let in again the full time to answer", async () => {
    const { saleId } = await sold();
    await report(seller, saleId);
    await disable(buyer);
    await w.services.database.db
      .update(sale)
      .set({ dueAt: new Date(Date.now() + 60_000) })
      .where(eq(sale.id, saleId));
    await disable(buyer, false);
    const { dueAt } = await storedSale(w, saleId);
    expect((dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(47 * 3_600_000);
  });

  test("gives no strike if it comes due while the buyer is shut out", async () => {
    const { saleId } = await sold();
    await report(seller, saleId);
    await disable(buyer);
    await passTime(w, saleId);
    await processDueSales(w.services);
    expect(await storedSale(w, saleId)).toMatchObject({ state: "fellThrough", fault: "buyer" });
    expect(await storedStrikes(w, buyer)).toEqual([]);
  });
});

test("only the reported side can answer, a second promise is refused, and the reporter is notified", async () => {
  const { saleId, productId } = await sold();
  await report(seller, saleId);
  expect((await say(seller, "answer", saleId, { answer: "done" })).code).toBe("failed-precondition");
  const promise = { answer: "later", inDays: 3, timeZone: "Africa/Johannesburg" };
  expect((await say(buyer, "answer", saleId, promise)).status).toBe(200);
  const { dueAt } = await storedSale(w, saleId);
  expect(dueAt?.toISOString()).toMatch(/T21:59:59\.999Z$/);
  expect((await say(buyer, "answer", saleId, { answer: "later", inDays: 3 })).message).toContain("before");
  expect(await viewOf(seller, productId)).toMatchObject({
    sale: { state: "awaiting", report: { claim: "notPaid", answer: "later" } },
  });
  expect((await say(buyer, "answer", saleId, { answer: "done" })).status).toBe(200);
  expect((await notificationsExceptOutbid(w, seller)).at(-1)).toMatchObject({
    kind: "saleAnswered",
    about: { who: "buyer", answer: "it's done" },
  });
});

test("a broken promise is reported as such, and not as silence", async () => {
  const { saleId } = await sold();
  await report(seller, saleId);
  await say(buyer, "answer", saleId, { answer: "later", inDays: 3 });
  await passTime(w, saleId);
  await processDueSales(w.services);
  expect(await eventsOf(w, saleId)).toEqual(["made", "reported", "answered", "promiseBroken"]);
  const about = { fault: "buyer", promised: "yes" };
  expect((await notificationsExceptOutbid(w, seller)).at(-1)).toMatchObject({
    kind: "saleFellThrough",
    about,
  });
  expect(notificationText("saleFellThrough", { ...about, product: "a desk" })).toBe(
    "The sale of a desk fell through. The day that the buyer promised is over, and nobody has said that it's done.",
  );
});

test("a dispute is announced to admins, listed, and decided with a reason that both sides see", async () => {
  const { saleId, productId } = await sold();
  await report(seller, saleId);
  await say(buyer, "answer", saleId, { answer: "untrue" });
  expect((await notificationsExceptOutbid(w, admin)).at(-1)).toMatchObject({ kind: "saleDisputed" });
  const disputes = (await admin.caller.call("sales.disputes")).body;
  expect(JSON.stringify(disputes)).toContain(saleId);
  expect((await seller.caller.call("sales.disputes")).code).toBe("permission-denied");
  expect(
    (await say(admin, "decide", saleId, { end: "handedOver", fault: "reporter", reason: " " })).code,
  ).toBe("form/incomplete");
  const reason = "The courier's receipt shows it.";
  const decision = { end: "handedOver", fault: "reporter", reason };
  expect((await say(admin, "decide", saleId, decision)).status).toBe(200);
  for (const side of [seller, buyer]) {
    expect(await viewOf(side, productId)).toMatchObject({ sale: { state: "handedOver", reason } });
    expect((await notificationsExceptOutbid(w, side)).at(-1)).toMatchObject({
      kind: "saleDecided",
      about: { reason },
    });
  }
  expect(await storedStrikes(w, seller)).toHaveLength(1);
  expect(await viewOf(other, productId)).toEqual({ sale: null, secondChances: null, offer: null });
});

test("an admin can't decide a dispute about their own sale", async () => {
  ({ seller, buyer, other } = await traders(w));
  const { saleId } = await soldItem(w, { seller: admin, buyer });
  await report(buyer, saleId, "noAnswer");
  await say(admin, "answer", saleId, { answer: "untrue" });
  const decision = { end: "fellThrough", fault: "reporter", reason: "I say so." };
  expect((await say(admin, "decide", saleId, decision)).code).toBe("permission-denied");
});

test("a hundred sales and offers that keep failing don't hold up later ones", async () => {
  ({ seller, buyer, other } = await traders(w));
  const [failing, due] = [777, 778];
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  /** Inserts a sale whose report was not answered, and an offer whose time is over. */
  async function dueSale(amount: number, until: Date): Promise<string> {
    const { productId, saleId } = await soldItem(w, { seller, buyer, amount });
    const report = { reportedBy: "seller", claim: "notPaid", reportedAt: ago(3_000) } as const;
    const { db } = w.services.database;
    await db.insert(secondChance).values({ productId, bidderId: other.id, amount, until, at: ago(3_000) });
    await db
      .update(sale)
      .set({ ...report, dueAt: until })
      .where(eq(sale.id, saleId));
    return saleId;
  }
  await w.asOwner(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'injected'; end $$;
    create trigger refuse before update on sale for each row
      when (old.amount = ${failing} and new.state <> 'awaiting') execute function refuse();
    create trigger refuse before update on second_chance for each row
      when (old.amount = ${failing}) execute function refuse();`);
  await Promise.all(Array.from({ length: 100 }, () => dueSale(failing, ago(60))));
  const saleId = await dueSale(due, ago(1));
  await processDueSales(w.services);
  const { productId, state } = await storedSale(w, saleId);
  expect(state).toBe("fellThrough");
  const offers = await w.services.database.db
    .select()
    .from(secondChance)
    .where(eq(secondChance.productId, productId));
  expect(offers).toMatchObject([{ state: "expired" }]);
  await w.asOwner("drop trigger refuse on sale; drop trigger refuse on second_chance");
});

test("seller and buyer have a public record of handovers from three sales on", async () => {
  ({ seller, buyer, other } = await traders(w));
  const items = await Promise.all([50, 50, 50].map((hoursAgo) => soldItem(w, { seller, buyer, hoursAgo })));
  for (const [at, { saleId }] of items.entries()) {
    const open = await product(w, seller);
    expect((await w.services.products.read(open))?.seller?.record, String(at)).toBeUndefined();
    await say(seller, "handOver", saleId);
    await say(buyer, "handOver", saleId);
  }
  const open = await product(w, seller);
  const record = { handedOver: 3, of: 3 };
  const shownRecord = (await w.services.products.read(open))?.seller?.record;
  expect(shownRecord).toMatchObject(record);
  expect(shownRecord?.medianDays).toBeCloseTo(50 / 24, 2);
  const [{ productId } = { productId: "" }] = items;
  expect(await viewOf(seller, productId)).toMatchObject({ sale: { other: { record } } });
});

test("a claim about a payment names the side that makes it", async () => {
  const { saleId } = await sold();
  await report(seller, saleId);
  const [entry] = await notificationsExceptOutbid(w, buyer);
  expect(entry).toMatchObject({ kind: "saleReported", about: { who: "seller", claim: "not paid" } });
});

test("events can only be added", async () => {
  const { saleId } = await sold();
  await expect(
    w.services.database.db.update(saleEvent).set({ reason: "x" }).where(eq(saleEvent.saleId, saleId)),
  ).rejects.toThrow();
});

test("erasing a buyer removes their account from the sale and the reason from its decision", async () => {
  const { saleId, productId } = await sold();
  await report(seller, saleId);
  await say(buyer, "answer", saleId, { answer: "untrue" });
  const decision = { end: "fellThrough", fault: "reported", reason: "Ada Obi never paid." };
  await say(admin, "decide", saleId, decision);
  await moveClose(w, productId, 24 * 40);
  await w.services.database.db
    .update(user)
    .set({ status: "leaving", deletionDueAt: new Date(Date.now() - 1) })
    .where(eq(user.id, buyer.id));
  const { eraseDueAccounts } = await import("#server/features/privacy/erase-account.ts");
  await eraseDueAccounts(w.services);
  expect(await storedSale(w, saleId)).toMatchObject({ buyerId: null, state: "fellThrough" });
  expect(await viewOf(seller, productId)).toMatchObject({ sale: { other: null, reason: "" } });
  expect(await storedStrikes(w, buyer)).toEqual([]);
});
