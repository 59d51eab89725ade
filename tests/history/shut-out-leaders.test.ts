import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { belowFrom } from "#domain/seeded-random.ts";
import { verifyAuction } from "#scripts/verify-auction.ts";
import { user } from "#server/features/account/tables.ts";
import { auctionLimit } from "#server/features/auctions/tables.ts";
import { eraseDueAccounts } from "#server/features/privacy/erase-account.ts";
import { bid, bidUpTo, storedProduct } from "#tests/support/auctions.ts";
import { ownerOf, problemsOf } from "#tests/support/backups.ts";
import { openBidFixture } from "#tests/support/bid-fixture.ts";
import { type Person, person } from "#tests/support/factories.ts";
import type { Wayfare } from "#tests/support/wayfare.ts";

let stage: Awaited<ReturnType<typeof openBidFixture>>;
let w: Wayfare;
let [ada, bea, cleo, admin]: [Person, Person, Person, Person] = [] as never;
beforeAll(async () => {
  stage = await openBidFixture();
  ({ w, admin } = stage);
});
afterAll(() => stage.stop());

const student = () => person(w, "student", "active");
const onSale = async (): Promise<string> => {
  const item = await stage.onSale();
  ({ ada, bea, cleo } = item);
  return item.id;
};
const byLaw = (who: Person, productId: string) => stage.byLaw(who, productId);
const history = (productId: string) => stage.history(productId);

describe("a leader who is shut out", () => {
  const shutOut = async (who: Person) =>
    expect((await admin.caller.call("students.setDisabled", { userId: who.id, disabled: true })).status).toBe(
      200,
    );
  const voidAt = async (productId: string, number: number) =>
    expect(
      (await admin.caller.call("sales.voidBids", { productId, number, reason: "A test of bids." })).status,
    ).toBe(200);
  /** Erases a disabled account, as the nightly job does when its waiting period is over. */
  async function erase({ id }: Person) {
    await w.services.database.db
      .update(user)
      .set({ deletionDueAt: new Date(0) })
      .where(eq(user.id, id));
    await eraseDueAccounts(w.services);
    expect(await w.services.database.db.$count(user, eq(user.id, id))).toBe(0);
  }
  /** Returns the errors that a check of the history finds. */
  const broken = async (productId: string) =>
    (await verifyAuction(async (path) => await w.app.request(path), { productId, receipts: [] })).findings
      .filter(({ holds }) => !holds)
      .map(({ text }) => text);

  test("bids no more in any replay of the bids", async () => {
    const id = await onSale();
    await bidUpTo(ada.caller, id, 500);
    await bid(bea.caller, id, 200);
    await shutOut(ada);
    await bid(cleo.caller, id, 300);
    await voidAt(id, 2);
    expect(await storedProduct(w, id)).toMatchObject({ highestBidderId: cleo.id, price: 30_000 });
    expect(await broken(id)).toEqual([]);
  });

  test("answers no rival after leading again, then or in a later replay", async () => {
    const id = await onSale();
    const dumi = await student();
    await bidUpTo(ada.caller, id, 500);
    await bid(bea.caller, id, 600);
    await shutOut(ada);
    await voidAt(id, 3);
    expect(await storedProduct(w, id)).toMatchObject({ highestBidderId: ada.id, price: 15_000 });
    await bid(cleo.caller, id, 160);
    await bid(dumi.caller, id, 170);
    expect((await byLaw(cleo, id)).status).toBe(200);
    expect(await storedProduct(w, id)).toMatchObject({ highestBidderId: dumi.id, price: 17_000 });
    expect(await broken(id)).toEqual([]);
  });

  test("leaves, once erased, bids that count for the price, and no limit", async () => {
    const id = await onSale();
    await bidUpTo(ada.caller, id, 500);
    await bid(bea.caller, id, 200);
    await shutOut(ada);
    await erase(ada);
    await voidAt(id, 2);
    expect(await storedProduct(w, id)).toMatchObject({ price: 15_000, leaderLimit: 15_000 });
    const limits = await w.services.database.db
      .select()
      .from(auctionLimit)
      .where(eq(auctionLimit.bidderId, ada.id));
    expect(limits.filter(({ amount, salt }) => amount > 20_100 || salt !== null)).toEqual([]);
    expect(await broken(id)).toEqual([]);
  });

  test("no longer bids in random histories with voided bids in between, and the histories hold", async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const below = belowFrom(seed);
      const id = await onSale();
      const people = [ada, bea, cleo, await student()];
      /** The people who were shut out, with the number of rows in the history at that time. */
      const out = new Map<string, number>();
      for (let step = 0; step < 20; step++) {
        const { price, highestBidderId } = await storedProduct(w, id);
        const [act, rows] = [below(10), await history(id)];
        const who = people[below(people.length)];
        const leader = people.find((each) => each.id === highestBidderId);
        const last = rows.findLast(({ bidderId, kind }) => bidderId === who?.id && kind !== "voided");
        if (act === 0 && leader && out.size < 2 && !out.has(leader.id)) {
          await shutOut(leader);
          out.set(leader.id, rows.length);
        } else if (act <= 2 && last) {
          const reason = "A test of bids.";
          await admin.caller.call("sales.voidBids", { productId: id, number: last.number, reason });
        } else if (who && act % 2 === 0) await bid(who.caller, id, price / 100 + 1 + below(9));
        else if (who) await bidUpTo(who.caller, id, price / 100 + 1 + below(99));
        const now = await storedProduct(w, id);
        if (out.has(now.highestBidderId ?? "")) expect(now.leaderLimit, `seed ${seed}`).toBe(now.price);
      }
      for (const { bidderId, kind, number } of await history(id))
        if (kind !== "voided")
          expect(number, `seed ${seed}`).toBeLessThanOrEqual(out.get(bidderId) ?? number);
      expect(await broken(id), `seed ${seed}`).toEqual([]);
    }
  });
});

test("a check of the backup finds no error in the bids of leaders who are shut out", async () => {
  expect(await problemsOf(ownerOf(w), w.services.storage)).toEqual([]);
});
