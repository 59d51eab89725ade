import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bid, bidUpTo, product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
let ada: Person;
let ben: Person;
/** Ada on the other node. */
let elsewhere: Caller;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  [seller, ada, ben] = [
    await person(w, "agent", "pending"),
    await person(w, "student", "active"),
    await person(w, "student", "active"),
  ];
  elsewhere = new Caller(second.app);
  for (const [name, value] of ada.caller.cookies) elsewhere.cookies.set(name, value);
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

describe("a bid whose answer was lost", () => {
  const lookUp = (caller: Caller, idempotencyKey: string) =>
    caller.call("auctions.bidByKey", { idempotencyKey });

  test("is found by its key, with the current minimum bid, by its bidder alone", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    const key = randomUUID();
    expect((await lookUp(ada.caller, key)).body).toBeNull();
    await bid(ada.caller, id, 150, key);
    expect((await lookUp(ada.caller, key)).body).toMatchObject({
      number: 1,
      amount: 15_000,
      leading: true,
      least: 15_100,
    });
    await bid(ben.caller, id, 200);
    expect((await lookUp(elsewhere, key)).body).toMatchObject({ leading: false, least: 20_100 });
    expect((await lookUp(ben.caller, key)).body).toBeNull();
  });

  test("is found with its limit", async () => {
    const id = await product(w, seller, { startingBid: 15_000 });
    const key = randomUUID();
    await bidUpTo(ada.caller, id, 500, key);
    expect((await lookUp(ada.caller, key)).body).toMatchObject({ amount: 50_000, least: 15_100 });
  });
});
