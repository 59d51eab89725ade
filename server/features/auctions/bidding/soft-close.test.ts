import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bid, bidUpTo, endAt, product, storedProduct } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
let ada: Person;
let bea: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  seller = await person(w, "agent", "pending");
  ada = await person(w, "student", "active");
  bea = await person(w, "student", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

describe("a soft close", () => {
  const soon = (milliseconds: number) => new Date(Date.now() + milliseconds);

  test("moves the end to two minutes after a rival's late bid, on every node", async () => {
    const plannedEnd = soon(90_000);
    const id = await product(w, seller, { softClose: true, endDate: plannedEnd });
    await second.services.products.read(id);
    const { at } = Object((await bid(ada.caller, id, 150)).body);
    const moved = new Date(at).getTime() + 120_000;
    const row = await storedProduct(w, id);
    expect(row.endsAt.getTime()).toBe(moved);
    expect(row.endDate).toEqual(plannedEnd);
    const expected = {
      endDate: moved,
      plannedEnd: plannedEnd.getTime(),
      latestEnd: plannedEnd.getTime() + 3_600_000,
    };
    expect(await w.services.products.read(id)).toMatchObject(expected);
    await until(async () => (await second.services.products.read(id))?.endDate === moved);
    const bidding = await w.services.database.pool.query(
      "select ends_at from auction_bidding where product_id = $1",
      [id],
    );
    expect(bidding.rows[0].ends_at.getTime()).toBe(moved);
  });

  test("moves the end for a beaten rival's bid, and not again for its retries", async () => {
    const id = await product(w, seller, { softClose: true });
    await bidUpTo(ada.caller, id, 300);
    const [end, key] = [soon(60_000), randomUUID()];
    await endAt(w, id, end);
    const answer = await bid(bea.caller, id, 200, key);
    expect(answer.body).toMatchObject({ leading: false });
    expect((await storedProduct(w, id)).endsAt.getTime()).toBeGreaterThan(end.getTime());
    await endAt(w, id, end);
    for (const { app } of [w, second])
      expect((await bid(bea.caller.on(app), id, 200, key)).body).toEqual(answer.body);
    expect((await storedProduct(w, id)).endsAt).toEqual(end);
  });

  test("doesn't move the end when the leader raises, the end is fixed, or the bid is refused", async () => {
    const id = await product(w, seller, { softClose: true, endDate: soon(3_600_000) });
    const fixed = await product(w, seller, { endDate: soon(60_000) });
    await bid(ada.caller, id, 150);
    const end = soon(60_000);
    await endAt(w, id, end);
    await bid(ada.caller, id, 200);
    await bidUpTo(ada.caller, id, 300);
    await bid(bea.caller, id, 200);
    expect((await storedProduct(w, id)).endsAt).toEqual(end);
    await bid(ada.caller, fixed, 150);
    const { endsAt, endDate } = await storedProduct(w, fixed);
    expect(endsAt).toEqual(endDate);
  });
});
