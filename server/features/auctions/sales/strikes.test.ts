import { afterAll, beforeAll, expect, test } from "vitest";
import { bid, notificationsExceptOutbid, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { createProduct, productForm, readyPicture } from "#tests/support/pictures.ts";
import { passTime, soldItem, storedStrikes } from "#tests/support/sales.ts";
import { traders } from "#tests/support/traders.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { processDueSales } from "./due-sales.ts";

let w: Wayfare;
let second: Wayfare;
let admin: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  admin = await person(w, "admin", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const report = ({ caller }: Person, saleId: string) =>
  caller.call("sales.report", { saleId, claim: "notPaid" });

test("an admin can't lift their own strike", async () => {
  const { seller } = await traders(w);
  const { saleId } = await soldItem(w, { seller, buyer: admin });
  await report(seller, saleId);
  await passTime(w, saleId);
  await processDueSales(w.services);
  const [strike] = await storedStrikes(w, admin);
  const lift = (who: Person) =>
    who.caller.call("sales.liftStrike", { strikeId: strike?.id, reason: "I had paid." });
  const refused = await lift(admin);
  expect(refused.code).toBe("permission-denied");
  expect(refused.message).toBe("This is about you. Please leave it to another administrator.");
  expect((await lift(await person(w, "admin", "active"))).status).toBe(200);
});

test("three concurrent strikes given on two nodes bar an account from bidding and selling until one is lifted", async () => {
  const { seller, buyer, other } = await traders(w);
  const sales = await Promise.all(
    [1, 2, 3].map(() => soldItem(w, { seller, buyer, others: [[other, 42_000]] })),
  );
  for (const { saleId } of sales) {
    await report(seller, saleId);
    await passTime(w, saleId);
  }
  await Promise.all([processDueSales(w.services), processDueSales(second.services)]);
  await processDueSales(w.services);
  const strikes = await storedStrikes(w, buyer);
  expect(strikes).toHaveLength(3);
  const id = await product(w, seller);
  const refused = await bid(buyer.caller, id, 500);
  expect(refused.code).toBe("permission-denied");
  expect(refused.message).toMatch(
    /^You can't bid or sell until .*, because of 3 strikes for sales that fell through or false reports\.$/,
  );
  const form = productForm({ images: [await readyPicture(buyer)] });
  expect((await createProduct(buyer, form)).message).toBe(refused.message);
  const mine = (await buyer.caller.call("sales.mine")).body;
  expect(mine).toMatchObject({ strikes: [{}, {}, {}] });
  expect((await seller.caller.call("sales.strikes", { userId: buyer.id })).code).toBe("permission-denied");
  const lift = (reason: string) =>
    admin.caller.call("sales.liftStrike", { strikeId: strikes[0]?.id, reason });
  expect((await lift("")).code).toBe("form/incomplete");
  expect((await lift("The seller was wrong.")).status).toBe(200);
  expect((await lift("The seller was wrong.")).code).toBe("failed-precondition");
  expect((await bid(buyer.caller, id, 500)).status).toBe(200);
  expect((await notificationsExceptOutbid(w, buyer)).at(-1)).toMatchObject({ kind: "strikeLifted" });
});
