import { afterAll, beforeAll, expect, test } from "vitest";
import { settleDue } from "#server/features/auctions/settlement/closer.ts";
import { bid, endAt, product, storedProduct } from "#tests/support/auctions.ts";
import { type Person, person, storedUser } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { eraseDueAccounts } from "./erase-account.ts";

let w: Wayfare;
let boss: Person;
beforeAll(async () => {
  w = await wayfare();
  boss = await person(w, "admin", "active");
});
afterAll(() => w.stop());

const rounds = 8;
const hour = 3_600_000;
const requestDeletion = (who: Person) => who.caller.call("account.requestDeletion");
const disable = (who: Person) => boss.caller.call("students.setDisabled", { userId: who.id, disabled: true });
const close = async (id: string) => {
  await endAt(w, id, new Date(Date.now() - 1));
  await settleDue(w.services);
};
const settled = (id: string) =>
  until(async () => {
    const row = await storedProduct(w, id);
    return row.state !== "open" && row;
  });

/** Runs a race several times concurrently, each with its own seller, bidders and item. */
const inRounds = (
  race: (people: { seller: Person; ada: Person; bea: Person; id: string }) => Promise<void>,
) =>
  Promise.all(
    Array.from({ length: rounds }, async () => {
      const [seller, ada, bea] = [
        await person(w, "student", "active"),
        await person(w, "student", "active"),
        await person(w, "student", "active"),
      ];
      const id = await product(w, seller, { endDate: new Date(Date.now() + hour) });
      expect((await bid(ada.caller, id, 200)).status).toBe(200);
      await race({ seller, ada, bea, id });
    }),
  );

test("a deletion request concurrent with the close: the leader still wins", () =>
  inRounds(async ({ bea, id }) => {
    await bid(bea.caller, id, 600);
    await Promise.all([requestDeletion(bea), close(id)]);
    expect(await settled(id)).toMatchObject({ winnerId: bea.id, winningBid: 60_000 });
    expect(await storedUser(w, bea.id)).toMatchObject({ status: "leaving" });
  }));

test("a deletion request concurrent with a bid: an accepted bid wins, a refused one leaves no trace", () =>
  inRounds(async ({ ada, bea, id }) => {
    const [, answer] = await Promise.all([requestDeletion(bea), bid(bea.caller, id, 600)]);
    await close(id);
    const winner = answer.status === 200 ? bea : ada;
    expect(await settled(id)).toMatchObject({ winnerId: winner.id });
  }));

test("a seller's deletion request concurrent with the first bid: the bid is refused, or the item runs to its end", () =>
  inRounds(async ({ bea }) => {
    const leaver = await person(w, "student", "active");
    const id = await product(w, leaver, { endDate: new Date(Date.now() + hour) });
    const [, answer] = await Promise.all([requestDeletion(leaver), bid(bea.caller, id, 600)]);
    expect((await storedProduct(w, id)).state).toBe(answer.status === 200 ? "open" : "removed");
  }));

test("a deletion request concurrent with an admin's disabling: the account is disabled and stays so", () =>
  inRounds(async ({ ada, bea, id }) => {
    await bid(bea.caller, id, 600);
    const [deletion, disabled] = await Promise.all([requestDeletion(bea), disable(bea)]);
    expect(disabled.status).toBe(200);
    const row = await storedUser(w, bea.id);
    expect(row?.status).toBe("disabled");
    expect(row?.deletionDueAt === null).toBe(deletion.status !== 200);
    await close(id);
    expect(await settled(id)).toMatchObject({ winnerId: ada.id, winningBid: 20_000 });
  }));

test("nightly erasures concurrent with the close of an auction: the winner is not erased", () =>
  inRounds(async ({ bea, id }) => {
    await bid(bea.caller, id, 600);
    await requestDeletion(bea);
    await w.asOwner(`update "user" set deletion_due_at = now() where id = '${bea.id}'`);
    await Promise.all([eraseDueAccounts(w.services), close(id), eraseDueAccounts(w.services)]);
    expect(await settled(id)).toMatchObject({ winnerId: bea.id });
    expect(await storedUser(w, bea.id)).toMatchObject({ status: "leaving" });
  }));
