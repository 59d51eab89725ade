import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notificationText } from "#domain/notification.ts";
import { belowFrom } from "#domain/seeded-random.ts";
import {
  bid,
  bidUpTo,
  endAt,
  notificationsExceptOutbid,
  product,
  storedProduct,
} from "#tests/support/auctions.ts";
import { ownerOf, problemsOf } from "#tests/support/backups.ts";
import { openBidFixture } from "#tests/support/bid-fixture.ts";
import { type Person, person } from "#tests/support/factories.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";
import { settle } from "../settlement/settle.ts";
import { auctionBidder, auctionLimit } from "../tables.ts";
import { voidRequest } from "./tables.ts";

let fixture: Awaited<ReturnType<typeof openBidFixture>>;
let [w, second]: [Wayfare, Wayfare] = [] as never;
let [seller, ada, bea, cleo, admin]: [Person, Person, Person, Person, Person] = [] as never;
beforeAll(async () => {
  fixture = await openBidFixture();
  ({ w, second, admin } = fixture);
});
afterAll(() => fixture.stop());

const student = () => person(w, "student", "active");
const onSale = async (changes: Parameters<typeof fixture.onSale>[0] = {}): Promise<string> => {
  const item = await fixture.onSale(changes);
  ({ seller, ada, bea, cleo } = item);
  return item.id;
};
const byLaw = (who: Person, productId: string) => fixture.byLaw(who, productId);
const history = (productId: string) => fixture.history(productId);
const publicState = (node: Wayfare, productId: string) => fixture.publicState(node, productId);

describe("an administrator", () => {
  const voided = (productId: string, number: number, reason: string, who = admin) =>
    who.caller.call("sales.voidBids", { productId, number, reason });

  test("voids bids with a reason that everyone sees, after the seller asked for it", async () => {
    const id = await onSale();
    await bid(bea.caller, id, 200);
    await bid(ada.caller, id, 300);
    const ask = (who: Person, number: number, reason = "A friend of the other bidder.") =>
      who.caller.call("sales.askToVoid", { productId: id, number, reason });
    expect((await ask(bea, 2)).code).toBe("not-found");
    expect((await ask(seller, 2, " ")).code).toBe("form/incomplete");
    expect((await ask(seller, 2)).status).toBe(200);
    expect((await ask(seller, 2)).code).toBe("already-exists");
    expect((await admin.caller.call("sales.voidRequests")).body).toMatchObject({
      requests: [{ productId: id, number: 2, amount: 30_000 }],
    });
    expect((await notificationsExceptOutbid(w, admin)).at(-1)).toMatchObject({ kind: "voidRequested" });
    expect((await voided(id, 2, "No.", seller)).code).toBe("permission-denied");
    expect((await voided(id, 2, "")).code).toBe("form/incomplete");
    expect((await voided(id, 2, "Both are one person.")).status).toBe(200);
    const state = await publicState(w, id);
    expect(state.bids[0]).toMatchObject({ row: "voided", reason: "Both are one person.", amount: 20_000 });
    expect(state.price).toBe(20_000);
    expect((await admin.caller.call("sales.voidRequests")).body).toEqual({ requests: [] });
    expect((await notificationsExceptOutbid(w, ada)).at(-1)).toMatchObject({
      kind: "ownBidsVoided",
      about: { reason: "Both are one person." },
    });
    expect((await voided(id, 2, "Again.")).code).toBe("failed-precondition");
    expect((await voided(id, 3, "No bid.")).code).toBe("not-found");
  });

  test("declines a request, and the seller sees the reason", async () => {
    const id = await onSale();
    await bid(ada.caller, id, 300);
    await seller.caller.call("sales.askToVoid", { productId: id, number: 1, reason: "I don't like them." });
    const [request] = await w.services.database.db
      .select()
      .from(voidRequest)
      .where(eq(voidRequest.productId, id));
    const decline = () =>
      admin.caller.call("sales.declineVoid", { requestId: request?.id, reason: "That is no reason." });
    expect((await decline()).status).toBe(200);
    expect((await decline()).code).toBe("failed-precondition");
    expect((await notificationsExceptOutbid(w, seller)).at(-1)).toMatchObject({
      kind: "voidDeclined",
      about: { reason: "That is no reason." },
    });
    expect((await publicState(w, id)).leader).not.toBeNull();
  });

  test("is too late after the close, which ends the request and notifies the seller", async () => {
    const id = await onSale();
    await bid(ada.caller, id, 300);
    await seller.caller.call("sales.askToVoid", { productId: id, number: 1, reason: "A joke, she says." });
    await endAt(w, id, new Date(Date.now() - 1));
    await Promise.all([settle(w.services, id), settle(second.services, id)]);
    const requests = await w.services.database.db
      .select()
      .from(voidRequest)
      .where(eq(voidRequest.productId, id));
    expect(requests).toEqual([expect.objectContaining({ closedAt: expect.any(Date) })]);
    const notifications = (await notificationsExceptOutbid(w, seller)).filter(
      ({ kind }) => kind === "voidDeclined",
    );
    expect(notifications).toHaveLength(1);
    expect(notificationText("voidDeclined", notifications[0]?.about ?? {})).toBe(
      "The bids on Walnut writing desk stay. The auction ended before an administrator looked at your request.",
    );
    const decline = { requestId: requests[0]?.id, reason: "Too late." };
    expect((await admin.caller.call("sales.declineVoid", decline)).code).toBe("failed-precondition");
  });

  test("can't decide about an item that they sell or have bid on", async () => {
    const rival = await person(w, "admin", "active");
    const requestOf = async (productId: string, number: number, owner: Person) => {
      await owner.caller.call("sales.askToVoid", { productId, number, reason: "A friend." });
      const [request] = await w.services.database.db
        .select()
        .from(voidRequest)
        .where(eq(voidRequest.productId, productId));
      return request?.id;
    };
    const declined = async (requestId: string | undefined, who: Person) =>
      await who.caller.call("sales.declineVoid", { requestId, reason: "They stay." });

    const rivalsBid = await onSale();
    await bid(rival.caller, rivalsBid, 200);
    await bid(ada.caller, rivalsBid, 300);
    const refused = await voided(rivalsBid, 2, "I want to lead.", rival);
    expect(refused.code).toBe("permission-denied");
    expect(refused.message).toBe("This is about you. Please leave it to another administrator.");
    const request = await requestOf(rivalsBid, 1, seller);
    expect((await declined(request, rival)).message).toBe(refused.message);
    expect((await declined(request, admin)).status).toBe(200);

    const ownItem = await product(w, rival, { startingBid: 15_000 });
    await bid(ada.caller, ownItem, 200);
    expect((await voided(ownItem, 1, "Not them.", rival)).message).toBe(refused.message);
    expect((await declined(await requestOf(ownItem, 1, rival), rival)).message).toBe(refused.message);
    expect((await publicState(w, ownItem)).leader).not.toBeNull();
  });
});

describe("concurrently from two nodes:", () => {
  test("only one of two withdrawals by a bidder succeeds", async () => {
    const id = await onSale();
    await bid(ada.caller, id, 200);
    const answers = await Promise.all([byLaw(ada, id), byLaw(ada, id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await history(id)).toHaveLength(2);
  });

  test("a withdrawal and rivals' bids lead to the result of the accepted attempts in their order", async () => {
    const id = await onSale();
    await bidUpTo(bea.caller, id, 400);
    await bid(ada.caller, id, 300);
    await bidUpTo(ada.caller, id, 1_000);
    const answers = await Promise.all([
      byLaw(ada, id),
      bid(cleo.caller.on(second.app), id, 500),
      bidUpTo(bea.caller.on(second.app), id, 450),
    ]);
    expect(answers[0]?.status).toBe(200);
    const { bidCount, price, highestBidderId } = await storedProduct(w, id);
    const rows = await history(id);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, place) => place + 1));
    expect(bidCount).toBe(rows.length);
    expect(highestBidderId).not.toBe(ada.id);
    // Cleo's R500 was accepted before the withdrawal or after it, or was refused beside Ada's limit.
    expect([30_100, 41_000, 40_100, 45_000, 50_000, 15_000]).toContain(price);
    const [own] = await w.services.database.db
      .select()
      .from(auctionBidder)
      .where(eq(auctionBidder.bidderId, highestBidderId ?? ""));
    expect(own?.amount).toBe(price);
  });

  test("either the withdrawal comes first and the next bidder buys, or the close comes first", async () => {
    const id = await onSale();
    await bid(bea.caller, id, 200);
    await bid(ada.caller, id, 300);
    await endAt(w, id, new Date(Date.now() + 150));
    await expect
      .poll(async () => {
        const answer = await byLaw(ada, id);
        return answer.status === 200 || answer.message === "This auction has ended.";
      })
      .toBe(true);
    await endAt(w, id, new Date(Date.now() - 1));
    await Promise.all([settle(w.services, id), settle(second.services, id)]);
    await expect.poll(async () => (await storedProduct(w, id)).state).toBe("sold");
    const { winnerId } = await storedProduct(w, id);
    const withdrawn = (await history(id)).some(({ kind }) => kind === "withdrawn");
    expect(winnerId).toBe(withdrawn ? bea.id : ada.id);
  });
});

test("withdrawing from random bids of both forms leaves the state of the same bids without that bidder", async () => {
  const [people, nodes] = [await Promise.all([student(), student(), student(), student()]), [w, second]];
  const dealer = await student();
  for (let round = 0; round < 4; round++) {
    const id = await product(w, dealer, { startingBid: 15_000 });
    const twin = await product(w, dealer, { startingBid: 15_000 });
    const leaver = people[round];
    const below = belowFrom(round);
    const accepted: { who: Person; upTo: boolean; rand: number }[] = [];
    for (let step = 0; step < 14; step++) {
      const who = people[below(people.length)];
      const node = nodes[below(2)];
      if (!who || !node) continue;
      const { price } = await storedProduct(w, id);
      const [upTo, rand] = [below(2) === 0, price / 100 + 1 + below(60)];
      const answer = await (upTo ? bidUpTo : bid)(who.caller.on(node.app), id, rand, randomUUID());
      if (answer.status === 200) accepted.push({ who, upTo, rand });
    }
    if (!leaver || !accepted.some(({ who }) => who === leaver)) continue;
    expect((await byLaw(leaver, id)).status).toBe(200);
    for (const { who, upTo, rand } of accepted)
      if (who !== leaver) await (upTo ? bidUpTo : bid)(who.caller, twin, rand);
    const [row, twinRow] = [await storedProduct(w, id), await storedProduct(w, twin)];
    expect([row.price, row.highestBidderId, row.leaderLimit]).toEqual([
      twinRow.price,
      twinRow.highestBidderId,
      twinRow.leaderLimit,
    ]);
    const amounts = async (productId: string) =>
      new Map(
        (
          await w.services.database.db
            .select()
            .from(auctionBidder)
            .where(eq(auctionBidder.productId, productId))
        )
          .filter(({ withdrawn }) => !withdrawn)
          .map(({ bidderId, amount }) => [bidderId, amount]),
      );
    expect(await amounts(id)).toEqual(await amounts(twin));
  }
});

test("a limit moved several times at the same time keeps its last value when others' bids are voided", async () => {
  const id = await onSale();
  await bidUpTo(ada.caller, id, 500);
  await bid(bea.caller, id, 200);
  await Promise.all([700, 600, 900, 300, 800].map((rand) => bidUpTo(ada.caller, id, rand)));
  const { leaderLimit } = await storedProduct(w, id);
  const moves = await w.services.database.db
    .select()
    .from(auctionLimit)
    .where(and(eq(auctionLimit.productId, id), eq(auctionLimit.number, 3)));
  expect(moves).toHaveLength(5);
  // Gives all moves the same time, as within a batch. Rewriting the first one moves it behind the others in the table.
  const first = moves.find(({ amount }) => amount !== leaderLimit);
  const at = `created_at = '${first?.createdAt.toISOString()}'`;
  await w.asOwner(`update auction_limit set ${at} where product_id = '${id}' and number = 3`);
  await w.asOwner(`update auction_limit set ${at} where idempotency_key = '${first?.idempotencyKey}'`);
  await admin.caller.call("sales.voidBids", { productId: id, number: 2, reason: "A test of bids." });
  expect(await storedProduct(w, id)).toMatchObject({ price: 15_000, leaderLimit });
});

test("a backup check finds no problems with withdrawals, voided bids and second chances", async () => {
  // The two bids tie.
  const id = await onSale();
  await bidUpTo(ada.caller, id, 500);
  await bid(bea.caller, id, 500);
  expect(await problemsOf(ownerOf(w), w.services.storage)).toEqual([]);
});
