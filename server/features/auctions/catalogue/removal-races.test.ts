import { afterAll, beforeAll, expect, test } from "vitest";
import {
  bid,
  endAt,
  notificationsExceptOutbid,
  product,
  remove,
  storedProduct,
} from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settle } from "../settlement/settle.ts";

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

test("concurrent bids and a removal from two nodes: accepted bidders are notified, and nothing is accepted after it", async () => {
  const bidders = await Promise.all(Array.from({ length: 12 }, student));
  for (const round of [1, 2, 3]) {
    const id = await product(w, seller, { productName: `Race ${round}` });
    const attempts = bidders.map((who, at) =>
      bid(who.caller, id, 1000 + at * 10).then(({ status, code }) => ({ who, status, code })),
    );
    const [removed, ...answers] = await Promise.all([remove(seller, id), ...attempts]);
    expect(removed.status).toBe(200);
    const accepted = answers.filter(({ status }) => status === 200).map(({ who }) => who);
    for (const { status, code } of answers)
      if (status !== 200) expect(["not-found", "out-of-range"]).toContain(code);
    expect(await storedProduct(w, id)).toMatchObject({
      state: "removed",
      open: false,
      bidCount: accepted.length,
    });
    for (const who of bidders) {
      const notifications = (await notificationsOf(who)).filter(
        ({ about }) => about["product"] === `Race ${round}`,
      );
      expect(notifications).toHaveLength(accepted.includes(who) ? 1 : 0);
    }
  }
});

test("a concurrent removal and close from two nodes leave the product removed, with a notification of the removal", async () => {
  const ada = await student();
  for (const round of Array(10).keys()) {
    const id = await product(w, seller, { productName: `End ${round}` });
    await endAt(w, id, new Date());
    const [answer] = await Promise.all([
      remove(seller, id),
      settle(second.services, id),
      settle(w.services, id),
    ]);
    // A seller may remove an item without bids before the close and after it. A close that comes second finds it
    // removed.
    expect(answer.status).toBe(200);
    const { state, version } = await storedProduct(w, id);
    expect(state).toBe("removed");
    expect([3, 4]).toContain(version);
  }
  const id = await product(w, seller, { productName: "Sold?" });
  await bid(ada.caller, id, 200);
  await endAt(w, id, hours(-1));
  const [answer] = await Promise.all([remove(admin, id, "Fraud."), settle(second.services, id)]);
  expect(answer.status).toBe(200);
  expect((await storedProduct(w, id)).state).toBe("removed");
  expect((await notificationsOf(ada)).at(-1)?.kind).toBe("auctionRemoved");
});

test("one of ten concurrent removals succeeds, and the others find nothing", async () => {
  const id = await product(w, seller);
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove(seller, id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "not-found")).toHaveLength(9);
  expect((await storedProduct(w, id)).version).toBe(2);
});
