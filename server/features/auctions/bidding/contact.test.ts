import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { user } from "#server/features/account/tables.ts";
import { bid, endAt, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionProduct } from "../tables.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

async function contactOf(productId: string, viewer: Person) {
  const { body } = await viewer.caller.call("auctions.relation", { productId });
  return (body as { contact: unknown }).contact;
}
const change = (who: Person, changes: Partial<typeof user.$inferInsert>) =>
  w.services.database.db.update(user).set(changes).where(eq(user.id, who.id));

async function auction() {
  const [seller, loser, winner] = [
    await person(w, "student", "active"),
    await person(w, "student", "active"),
    await person(w, "agent", "approved"),
  ];
  const id = await product(w, seller);
  await bid(loser.caller, id, 150);
  await bid(winner.caller, id, 200);
  return { id, seller, loser, winner };
}

async function end(id: string): Promise<void> {
  await endAt(w, id, new Date(Date.now() - 1000));
  await until(async () => (await w.services.products.read(id))?.state === "sold");
}

test("winner and seller see each other's contact details after the sale, and nobody else does", async () => {
  const { id, seller, loser, winner } = await auction();
  await change(seller, { phone: "+234 80 1234 5678" });
  const everyone = [seller, winner, loser, await person(w, "admin", "active")];
  const contacts = () => Promise.all(everyone.map((each) => contactOf(id, each)));
  expect(await contacts()).toEqual([null, null, null, null]);
  await end(id);
  expect(await contacts()).toEqual([
    { name: "Ada Obi", email: winner.email, phone: "", leaves: null },
    { name: "Ada Obi", email: seller.email, phone: "+234 80 1234 5678", leaves: null },
    null,
    null,
  ]);
});

test("a lost account's details are no longer shown", async () => {
  const { id, seller, winner } = await auction();
  await end(id);
  await change(winner, { status: "disabled" });
  expect(await contactOf(id, seller)).toBeNull();
  await change(winner, { status: "approved" });
  expect(await contactOf(id, seller)).toMatchObject({ email: winner.email });
  await w.services.database.db.delete(user).where(eq(user.id, winner.id));
  expect(await contactOf(id, seller)).toBeNull();
});

test("a sold product that was taken off sale shows nobody's details", async () => {
  const { id, seller, winner } = await auction();
  await end(id);
  await w.services.database.db
    .update(auctionProduct)
    .set({ state: "removed" })
    .where(eq(auctionProduct.id, id));
  for (const { caller } of [seller, winner])
    expect((await caller.call("auctions.relation", { productId: id })).code).toBe("not-found");
});
