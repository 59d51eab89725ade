import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removalMessages } from "#domain/auction-removal.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import {
  bid,
  endAt,
  notificationsExceptOutbid,
  product,
  remove,
  storedProduct,
} from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settle } from "../settlement/settle.ts";
import { auctionBid, auctionProduct } from "../tables.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  seller = await person(w, "student", "active");
  admin = await person(w, "admin", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const hours = (number: number) => new Date(Date.now() + number * 3_600_000);
const student = () => person(w, "student", "active");
const notificationsOf = (who: Person) => notificationsExceptOutbid(w, who);
// Either node may have sent a mail.
const sentTo = ({ email }: Person) => [...w.log, ...second.log].filter(({ to }) => to === email);

test("taking a product off sale removes it on every node, notifies its bidders and keeps its bids", async () => {
  const [ada, bea] = [await student(), await person(w, "agent", "pending")];
  const id = await product(w, seller);
  await bid(ada.caller, id, 200);
  await bid(bea.caller, id, 300);
  expect((await second.services.products.read(id))?.bidCount).toBe(2);
  expect((await remove(seller, id, "a reason that nobody asked for")).status).toBe(200);

  expect(await storedProduct(w, id)).toMatchObject({
    state: "removed",
    removedBy: "seller",
    removalReason: null,
    closedAt: expect.any(Date),
    open: false,
    version: 4,
    bidCount: 2,
  });
  const removed = { kind: "auctionRemoved", about: { product: "Walnut writing desk" }, path: "/my-bids" };
  expect([await notificationsOf(ada), await notificationsOf(bea)]).toEqual([[removed], [removed]]);
  await until(() => sentTo(ada).find(({ subject }) => subject === "Withdrawn: Walnut writing desk"));
  expect(await notificationsOf(seller)).toEqual([]);
  expect(await w.services.products.read(id)).toBeNull();
  await until(async () => (await second.services.products.read(id)) === null);
  expect((await w.app.request(`/auctions/products/${id}`)).status).toBe(404);
  expect((await bid(ada.caller, id, 400)).code).toBe("not-found");
  const { db } = w.services.database;
  expect(await db.select().from(auctionBid).where(eq(auctionBid.productId, id))).toHaveLength(2);
  const ofProduct = sql`${audit.detail} ->> 'product' = ${id}`;
  const entries = await db
    .select()
    .from(audit)
    .where(and(eq(audit.action, "product-removed"), ofProduct));
  expect(entries).toMatchObject([
    { actorId: seller.id, subjectId: seller.id, detail: { product: id, by: "seller" } },
  ]);
  expect((await remove(seller, id)).code).toBe("not-found");
});

describe("an admin", () => {
  test("removes any product with a reason, which the seller and the bidders see", async () => {
    const [owner, ada] = [await student(), await student()];
    const id = await product(w, owner, { productName: "Phone", endDate: hours(1) });
    await bid(ada.caller, id, 200);
    for (const reason of ["", "   "])
      expect(await remove(admin, id, reason)).toMatchObject({
        code: "form/incomplete",
        message: "Please give a reason.",
      });
    expect((await remove(admin, id, "x".repeat(501))).message).toContain("500");
    expect((await storedProduct(w, id)).state).toBe("open");
    expect((await remove(admin, id, " It is stolen. ")).status).toBe(200);
    const about = { product: "Phone", reason: "It is stolen." };
    expect(await notificationsOf(owner)).toEqual([
      { kind: "ownAuctionRemoved", about, path: "/product-list" },
    ]);
    expect(await notificationsOf(ada)).toEqual([{ kind: "auctionRemoved", about, path: "/my-bids" }]);
    await until(() => sentTo(ada).find(({ subject }) => subject === "Removed: Phone"));
    expect(await storedProduct(w, id)).toMatchObject({ removedBy: "admin", removalReason: "It is stolen." });
  });

  test("removes a sold product, and one whose owner is gone", async () => {
    const [owner, ada] = [await student(), await student()];
    const sold = await product(w, owner);
    await bid(ada.caller, sold, 200);
    await endAt(w, sold, hours(-1));
    await settle(w.services, sold);
    expect(await remove(owner, sold)).toMatchObject({
      code: "failed-precondition",
      message: removalMessages.sold,
    });
    expect((await remove(admin, sold, "Fraud.")).status).toBe(200);
    expect((await notificationsOf(ada)).at(-1)).toMatchObject({ kind: "auctionRemoved" });
    const orphan = await product(w, owner);
    await w.services.database.db
      .update(auctionProduct)
      .set({ sellerId: null })
      .where(eq(auctionProduct.id, orphan));
    expect((await remove(admin, orphan, "Left behind.")).status).toBe(200);
  });

  test("can't remove a product after losing their rights during a session", async () => {
    const former = await person(w, "admin", "active");
    const id = await product(w, seller);
    await former.caller.call("agents.counts");
    await w.services.database.db.update(user).set({ status: "disabled" }).where(eq(user.id, former.id));
    expect((await remove(former, id, "Because.")).code).toBe("permission-denied");
  });
});

test("a seller can't remove a product with bids in the last 12 hours, but one without", async () => {
  const ada = await student();
  const [free, held] = [
    await product(w, seller, { endDate: hours(11) }),
    await product(w, seller, { endDate: hours(11) }),
  ];
  await bid(ada.caller, held, 200);
  expect(await remove(seller, held)).toMatchObject({
    code: "failed-precondition",
    message: removalMessages.lastHours,
  });
  expect((await remove(seller, free)).status).toBe(200);
});

test("removing another's product and a missing product get the same answer", async () => {
  const id = await product(w, seller);
  const other = await person(w, "agent", "approved");
  const answer = { code: "not-found", message: "Product not found!" };
  expect(await remove(other, id, "Mine.")).toMatchObject(answer);
  expect(await remove(other, crypto.randomUUID())).toMatchObject(answer);
  expect(await remove(admin, crypto.randomUUID(), "Gone?")).toMatchObject(answer);
  expect((await storedProduct(w, id)).state).toBe("open");
});

test("the notification of a removal replaces the outbid one in the bell", async () => {
  const [ada, bea] = [await student(), await student()];
  const id = await product(w, seller);
  await bid(ada.caller, id, 200);
  await bid(bea.caller, id, 300);
  const kindsOf = async () => {
    const rows = await w.services.database.db
      .select({ kind: notification.kind })
      .from(notification)
      .where(eq(notification.userId, ada.id));
    return rows.map(({ kind }) => kind);
  };
  await until(async () => (await kindsOf()).includes("outbid"));
  await remove(seller, id);
  expect(await kindsOf()).toEqual(["auctionRemoved"]);
});
