import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Receipt } from "#domain/bid-history.ts";
import { verifyAuction } from "#scripts/verify-auction.ts";
import { bid, bidUpTo } from "#tests/support/auctions.ts";
import { openBidFixture } from "#tests/support/bid-fixture.ts";
import type { Answer, Caller } from "#tests/support/caller.ts";
import type { Person } from "#tests/support/factories.ts";

let stage: Awaited<ReturnType<typeof openBidFixture>>;
let [ada, bea]: [Person, Person] = [] as never;
beforeAll(async () => {
  stage = await openBidFixture();
});
afterAll(() => stage.stop());

/** An item on which Bea leads and Ada has made a slip. */
async function withSlip(): Promise<string> {
  const item = await stage.onSale();
  ({ ada, bea } = item);
  await bid(bea.caller, item.id, 200);
  await bid(ada.caller, item.id, 6_100);
  return item.id;
}
const withdraw = (caller: Caller, productId: string, rand: number, idempotencyKey?: string) =>
  caller.call("sales.withdrawBids", {
    productId,
    instead: rand * 100,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
const kinds = async (productId: string) => (await stage.history(productId)).map(({ kind }) => kind);
const insteadIn = ({ body }: Answer) => Object(body).bid as { number: number; receipt: Receipt } | null;

test("a bid in place of a slip gets a receipt that matches the history", async () => {
  const id = await withSlip();
  const answer = await withdraw(ada.caller, id, 610);
  expect(answer.body).toMatchObject({
    bid: { number: 4, amount: 61_000, leading: true, least: 61_100, receipt: { number: 4 } },
  });
  await bid(bea.caller, id, 700);
  const receipt = insteadIn(answer)?.receipt;
  if (!receipt) throw new Error("there is no receipt");
  const findings = async (own: Receipt) =>
    (
      await verifyAuction(async (path) => await stage.w.app.request(path), {
        productId: id,
        receipts: [{ ...own, limit: null }],
      })
    ).findings.filter(({ holds }) => !holds);
  expect(await findings(receipt)).toEqual([]);
  expect(
    await findings({ ...receipt, hash: receipt.hash.replace(/^./, (digit) => (digit === "0" ? "1" : "0")) }),
  ).not.toEqual([]);
});

test("a withdrawal without a replacement bid says so", async () => {
  const id = await withSlip();
  await bid(bea.caller, id, 6_200);
  expect((await withdraw(ada.caller, id, 610)).body).toEqual({ bid: null });
  const other = await withSlip();
  expect((await stage.byLaw(ada, other)).body).toEqual({ bid: null });
});

test("a withdrawal repeated under its key, on another node too, gets the answer of the first", async () => {
  const id = await withSlip();
  const key = randomUUID();
  const [one, other] = await Promise.all([
    withdraw(ada.caller, id, 610, key),
    withdraw(ada.caller.on(stage.second.app), id, 610, key),
  ]);
  expect(one).toMatchObject({ status: 200, body: { bid: { number: 4 } } });
  expect(other.body).toEqual(one.body);
  expect(await kinds(id)).toEqual(["bid", "bid", "withdrawn", "bid"]);
  expect((await ada.caller.call("auctions.bidByKey", { idempotencyKey: key })).body).toEqual(insteadIn(one));
  // By then the bid has been beaten, which the answer says.
  await bidUpTo(bea.caller, id, 700);
  expect((await withdraw(ada.caller, id, 610, key)).body).toMatchObject({
    bid: { number: 4, leading: false, least: 61_200 },
  });
});

test("the key of another bid withdraws nothing", async () => {
  const id = await withSlip();
  const [earlier, limit, key] = [randomUUID(), randomUUID(), randomUUID()];
  const other = (await stage.onSale()).id;
  await bid(ada.caller, other, 610, earlier);
  await bidUpTo(ada.caller, other, 700, limit);
  for (const used of [earlier, limit])
    expect(await withdraw(ada.caller, id, 610, used)).toMatchObject({ code: "already-exists" });
  expect(await kinds(id)).toEqual(["bid", "bid"]);
  expect((await withdraw(ada.caller, id, 610, key)).status).toBe(200);
  expect((await withdraw(ada.caller, id, 620, key)).code).toBe("already-exists");
});

test("the key of an equal bid from before the slip withdraws nothing", async () => {
  const { id, ...people } = await stage.onSale();
  const key = randomUUID();
  await bid(people.ada.caller, id, 610, key);
  await bid(people.ada.caller, id, 6_100);
  expect((await withdraw(people.ada.caller, id, 610, key)).code).toBe("already-exists");
  expect(await kinds(id)).toEqual(["bid", "bid"]);
});
