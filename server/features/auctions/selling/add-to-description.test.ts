import { afterAll, beforeAll, expect, test } from "vitest";
import { additionLimits, editMessages } from "#domain/auction-edit.ts";
import { bid, notificationsExceptOutbid, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
});
afterAll(() => w.stop());

const add = (who: Person, productId: string, text: string) =>
  who.caller.call("auctions.addToDescription", { productId, text });
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

test("an addition is dated and public, and all bidders are notified", async () => {
  const [ada, other] = [await person(w, "student", "active"), await person(w, "student", "active")];
  const id = await product(w, seller);
  expect((await bid(ada.caller, id, 150)).status).toBe(200);
  expect(await add(other, id, "It is mine.")).toMatchObject({ code: "not-found" });
  expect(await add(seller, id, " ")).toMatchObject({ code: "form/incomplete" });
  expect((await add(seller, id, " One drawer sticks. ")).status).toBe(200);
  expect((await add(seller, id, "I have oiled it.")).status).toBe(200);
  const state = await w.services.products.read(id);
  expect(state?.additions).toEqual([
    { text: "One drawer sticks.", at: expect.any(Number) },
    { text: "I have oiled it.", at: expect.any(Number) },
  ]);
  expect(Math.abs((state?.additions[0]?.at ?? 0) - Date.now())).toBeLessThan(600_000);
  const entry = {
    kind: "descriptionAddedTo",
    about: { product: "Walnut writing desk" },
    path: `/product/${id}`,
  };
  expect(await notificationsExceptOutbid(w, ada)).toEqual([entry, entry]);
  expect(await notificationsExceptOutbid(w, other)).toEqual([]);
});

test("an addition is refused in the last 12 hours and beyond the limit", async () => {
  const [late, early] = [
    await product(w, seller, { endDate: inHours(11) }),
    await product(w, seller, { endDate: inHours(13) }),
  ];
  expect(await add(seller, late, "A lamp.")).toMatchObject({ message: editMessages.lastHours });
  for (const _ of Array(additionLimits.additions).keys())
    expect((await add(seller, early, "A lamp.")).status).toBe(200);
  expect(await add(seller, early, "A lamp.")).toMatchObject({
    code: "failed-precondition",
    message: editMessages.tooMany,
  });
});
