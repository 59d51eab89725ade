import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notificationText } from "#domain/notification.ts";
import { createAccount } from "#server/features/account/commands/create-account.ts";
import { user } from "#server/features/account/tables.ts";
import { audit } from "#server/features/audit/tables.ts";
import { notification } from "#server/features/notifications/tables.ts";
import { prepareAdmins } from "#server/features/sign-in/commands/prepare-admins.ts";
import { bid, endAt, notificationsExceptOutbid, product, storedProduct } from "#tests/support/auctions.ts";
import { freshEmail, type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settleDue } from "../settlement/closer.ts";
import { auctionBidder, auctionProduct } from "../tables.ts";

let w: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  admin = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const revoke = (who: Person) => admin.caller.call("agents.revoke", { id: who.id });
const deny = (who: Person) => admin.caller.call("agents.deny", { id: who.id });
const disable = (who: Person) =>
  admin.caller.call("students.setDisabled", { userId: who.id, disabled: true });

const stateOf = async (id: string) => {
  const { db } = w.services.database;
  const [row] = await db.select().from(auctionProduct).where(eq(auctionProduct.id, id));
  return row;
};
const removalNotificationCount = async (who: Person) =>
  (
    await w.services.database.db
      .select({ kind: notification.kind, path: notification.path })
      .from(notification)
      .where(and(eq(notification.userId, who.id), eq(notification.kind, "auctionRemoved")))
  ).length;

test.each([
  ["revoked", () => person(w, "agent", "approved"), revoke],
  ["denied", () => person(w, "agent", "pending"), deny],
  ["disabled, an agent", () => person(w, "agent", "approved"), disable],
  ["disabled, a student", () => person(w, "student", "active"), disable],
] as const)(
  "open auctions of a seller who is %s are withdrawn, and ended ones stay",
  async (_title, make, lose) => {
    const [seller, ada] = [await make(), await person(w, "student", "active")];
    const [open, over, sold, removed] = [
      await product(w, seller),
      await product(w, seller),
      await product(w, seller, { state: "unsold" }),
      await product(w, seller, { state: "removed", removedBy: "seller" }),
    ];
    await Promise.all([bid(ada.caller, open, 200), bid(ada.caller, over, 200)]);
    expect(await w.services.products.read(open)).toMatchObject({ state: "open" });
    await endAt(w, over, new Date(Date.now() - 60_000));
    expect((await lose(seller)).status).toBe(200);

    expect(await stateOf(open)).toMatchObject({ state: "removed", removedBy: "withdrawn" });
    expect(["open", "sold"]).toContain((await stateOf(over))?.state);
    expect(await stateOf(sold)).toMatchObject({ state: "unsold" });
    expect(await stateOf(removed)).toMatchObject({ removedBy: "seller" });
    expect(await removalNotificationCount(ada)).toBe(1);
    expect(await w.services.products.read(open)).toBeNull();
    expect((await bid(ada.caller, open, 500)).code).toBe("not-found");
    const audited = await w.services.database.db
      .select({ detail: audit.detail })
      .from(audit)
      .where(and(eq(audit.subjectId, seller.id), eq(audit.action, "product-removed")));
    expect(audited).toEqual([{ detail: { product: open, by: "withdrawn" } }]);
  },
);

/** Creates bidders without the time that each sign-up takes. */
async function manyBidders(number: number): Promise<string[]> {
  return await w.services.database.transaction(async (tx) => {
    const ids: string[] = [];
    for (let at = 0; at < number; at++)
      ids.push(
        await createAccount(
          tx,
          {
            role: "student",
            status: "active",
            email: freshEmail("bidder"),
            firstName: "Bo",
            lastName: "Li",
            agency: "",
          },
          "no password",
        ),
      );
    return ids;
  });
}

test("revoking a seller of 200 auctions notifies all 50 bidders of each, except for one whose account is gone", async () => {
  const seller = await person(w, "agent", "approved");
  const bidders = await manyBidders(50);
  const [gone = ""] = bidders;
  const ids: string[] = [];
  for (let at = 0; at < 200; at++) ids.push(await product(w, seller));
  const since = new Date();
  const { db } = w.services.database;
  for (const productId of ids)
    await db
      .insert(auctionBidder)
      .values(
        bidders.map((bidderId, at) => ({ productId, bidderId, since, amount: 200 + at, number: at + 1 })),
      );
  await db.delete(user).where(eq(user.id, gone));
  expect((await revoke(seller)).status).toBe(200);
  const states = await db
    .select({ state: auctionProduct.state })
    .from(auctionProduct)
    .where(inArray(auctionProduct.id, ids));
  expect(states.map(({ state }) => state)).toEqual(Array(200).fill("removed"));
  const notifications = await db
    .select({ userId: notification.userId })
    .from(notification)
    .where(eq(notification.kind, "auctionRemoved"));
  const biddersNotifications = notifications.filter(({ userId }) => bidders.includes(userId));
  expect(biddersNotifications).toHaveLength(200 * 49);
});

test("no bid is accepted after a concurrent revocation of the seller, and earlier bidders are notified", async () => {
  const bidders = await Promise.all(Array.from({ length: 10 }, () => person(w, "student", "active")));
  const seller = await person(w, "agent", "approved");
  const ids = await Promise.all(Array.from({ length: 5 }, () => product(w, seller)));
  const attempts = bidders.flatMap((who, at) =>
    ids.map((id) => bid(who.caller, id, 1000 + at).then((answer) => ({ id, who, status: answer.status }))),
  );
  const [revoked, ...answers] = await Promise.all([revoke(seller), ...attempts]);
  expect(revoked.status).toBe(200);
  const accepted = answers.filter(({ status }) => status === 200);
  for (const who of bidders)
    expect(await removalNotificationCount(who)).toBe(accepted.filter((each) => each.who === who).length);
  for (const id of ids)
    expect((await bid(bidders[0]?.caller ?? admin.caller, id, 9000)).code).toBe("not-found");
});

test("ten auctions are removed when an admin removes them one by one while their seller is disabled", async () => {
  const seller = await person(w, "student", "active");
  const ids = await Promise.all(Array.from({ length: 10 }, () => product(w, seller)));
  const [lost, ...answers] = await Promise.all([
    disable(seller),
    ...ids.map((productId) => admin.caller.call("auctions.remove", { productId, reason: "Spam." })),
  ]);
  expect(lost.status).toBe(200);
  for (const { status, code } of answers) expect([200, "not-found"]).toContain(code ?? status);
  for (const id of ids) expect((await stateOf(id))?.state).toBe("removed");
});

test("an admin whose address is taken off the list loses their auctions at the next start", async () => {
  const own = await wayfare();
  const [former, ada] = [await person(own, "admin", "active"), await person(own, "student", "active")];
  const id = await product(own, former);
  await bid(ada.caller, id, 200);
  await prepareAdmins(own.services);
  expect(await storedProduct(own, id)).toMatchObject({ state: "removed", removedBy: "withdrawn" });
  expect(await own.services.products.read(id)).toBeNull();
  await own.mail(ada.email, /Withdrawn/);
  await own.stop();
});

describe("bids of a bidder whom an admin has shut out", () => {
  const enable = (who: Person) =>
    admin.caller.call("students.setDisabled", { userId: who.id, disabled: false });
  const countsOf = async (id: string) =>
    (await w.services.products.read(id))?.bids.map(({ amount, counts }) => [amount, counts]);
  /** Creates an item with bids of R200 and R670, whose pages this node has cached. */
  async function contested() {
    const [seller, ada, bea] = [await student(), await student(), await student()];
    const id = await product(w, seller);
    await bid(ada.caller, id, 200);
    await bid(bea.caller, id, 670);
    expect(await countsOf(id)).toEqual([
      [67_000, true],
      [20_000, true],
    ]);
    return { seller, ada, bea, id };
  }
  const student = () => person(w, "student", "active");
  const close = async (id: string) => {
    await endAt(w, id, new Date(Date.now() - 1));
    await settleDue(w.services);
    return await until(async () => {
      const state = await w.services.products.read(id);
      return state && state.state !== "open" && state;
    });
  };

  test("are shown as not counting while the auction goes on, and count again once the account is enabled", async () => {
    const { bea, id } = await contested();
    await disable(bea);
    expect(await countsOf(id)).toEqual([
      [67_000, false],
      [20_000, true],
    ]);
    expect((await admin.caller.call("auctions.bids", { productId: id, below: 3 })).body).toMatchObject({
      bids: [{ counts: false }, { counts: true }],
    });
    await enable(bea);
    expect(await countsOf(id)).toEqual([
      [67_000, true],
      [20_000, true],
    ]);
  });

  test("are permanently shown as not counting after a sale for less, and the seller is notified", async () => {
    const { seller, ada, bea, id } = await contested();
    await disable(bea);
    expect(await close(id)).toMatchObject({ state: "sold", winningBid: 20_000, price: 67_000 });
    await enable(bea);
    expect(await countsOf(id)).toEqual([
      [67_000, false],
      [20_000, true],
    ]);
    const [entry] = await notificationsExceptOutbid(w, seller);
    expect(entry).toMatchObject({ kind: "auctionSold", about: { price: "R200.00", voided: "R670.00" } });
    expect(notificationText("auctionSold", entry?.about ?? {})).toContain(
      "The bid of R670.00 doesn't count, because we closed that bidder's account.",
    );
    expect(await notificationsExceptOutbid(w, ada)).toMatchObject([{ kind: "auctionWon" }]);
  });

  test("leave an item unsold when they were the only ones, and the seller is notified why", async () => {
    const { seller, ada, bea, id } = await contested();
    await disable(ada);
    await disable(bea);
    expect(await close(id)).toMatchObject({ state: "unsold" });
    expect(await countsOf(id)).toEqual([
      [67_000, false],
      [20_000, false],
    ]);
    expect(await notificationsExceptOutbid(w, seller)).toMatchObject([
      { kind: "auctionUnsold", about: { voided: "R670.00" } },
    ]);
  });

  test("count while their bidder is leaving", async () => {
    const { bea, id } = await contested();
    await bea.caller.call("account.requestDeletion");
    w.services.products.changed([id]);
    expect(await countsOf(id)).toEqual([
      [67_000, true],
      [20_000, true],
    ]);
  });
});
