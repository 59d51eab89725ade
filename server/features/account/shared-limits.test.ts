import { afterEach, beforeEach, expect, test } from "vitest";
import { tidyUp } from "#server/features/sessions/tidy-up.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let other: Wayfare;
beforeEach(async () => {
  w = await wayfare();
  other = await wayfare({ on: w.address });
});
afterEach(async () => {
  await other.stop();
  await w.stop();
});

/** Returns callers of both nodes with the cookies of one browser. */
function onBoth({ caller }: Pick<Person, "caller">) {
  const there = new Caller(other.app);
  for (const [name, value] of caller.cookies) there.cookies.set(name, value);
  return [caller, there];
}

/** Extends the current counters, so that they outlast the test even on a slow machine. */
const prolong = () => w.services.database.pool.query("update brief_limit set expire = expire + 3600000");

/** Returns how many of `times` calls were let through. A hundred run concurrently, half of them on each node. */
async function countAllowed(
  times: number,
  ask: (caller: Caller, at: number) => Promise<{ code: string | null }>,
  callers: readonly Caller[],
) {
  let through = 0;
  for (let at = 0; at < times; at += 100) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(100, times - at) }, (_, each) => {
        const [one, two] = callers;
        if (!one || !two) throw new Error("there are two nodes");
        return ask((at + each) % 2 === 0 ? one : two, at + each);
      }),
    );
    through += answers.filter(({ code }) => code !== "resource-exhausted").length;
  }
  return through;
}

test("changes are limited to 120 per account and minute on all nodes together", async () => {
  const ada = await person(w, "student", "active");
  const remove = (caller: Caller) => caller.call("shortlist.remove", { id: ada.id });
  await remove(ada.caller);
  await prolong();
  expect(await countAllowed(200, remove, onBoth(ada))).toBe(119);
  const refused = await remove(ada.caller);
  expect(refused).toMatchObject({ status: 429, code: "resource-exhausted" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // Other accounts are not affected, and reads still work.
  expect(
    (await (await person(w, "student", "active")).caller.call("shortlist.remove", { id: ada.id })).code,
  ).not.toBe("resource-exhausted");
  expect((await ada.caller.call("shortlist.list")).status).toBe(200);
});

test("calls of any kind are limited to 1,200 per account and minute, from any address", async () => {
  const ada = await person(w, "student", "active");
  let host = 0;
  const ask = (caller: Caller) =>
    caller.call("notifications.unread", {}, { address: `198.51.100.${++host % 250}` });
  await ask(ada.caller);
  await prolong();
  const through = await countAllowed(1400, ask, onBoth(ada));
  // A node that has leased twenty calls keeps the ones that it doesn't use.
  expect(through).toBeGreaterThan(1200 - 60);
  expect(through).toBeLessThan(1200);
  const refused = await ada.caller.call("account.me", {}, { address: "192.0.2.1" });
  expect(refused).toMatchObject({ status: 429, code: "resource-exhausted" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // Bids don't count.
  const bid = { productId: ada.id, amount: 100, idempotencyKey: ada.id };
  expect((await ada.caller.call("auctions.bid", bid)).code).toBe("not-found");
  // Visitors from that address are counted separately.
  expect((await new Caller(w.app, "192.0.2.1").call("account.me")).status).toBe(200);
});

test("calls of any kind are limited to 6,000 per address or IPv6 network and minute, except for this machine's", async () => {
  const visitors = [new Caller(w.app), new Caller(other.app)];
  const ask = (caller: Caller, at: number) =>
    caller.call("account.me", {}, { address: `2001:db8:1:2::${(at % 5000).toString(16)}` });
  await ask(new Caller(w.app), 0);
  await prolong();
  const through = await countAllowed(6400, ask, visitors);
  expect(through).toBeGreaterThan(6000 - 300);
  expect(through).toBeLessThan(6000);
  expect((await new Caller(w.app, "2001:db8:1:3::1").call("account.me")).status).toBe(200);
  const own = [new Caller(w.app, "127.0.0.1"), new Caller(other.app, "::1")];
  expect(await countAllowed(6400, (caller) => caller.call("account.me"), own)).toBe(6400);
});

test("searches are limited to 120 per address and minute on all nodes together", async () => {
  const admin = await person(w, "admin", "active");
  const search = (caller: Caller) => caller.call("accounts.list", { search: "nobody" });
  let through = 0;
  expect((await search(admin.caller)).status).toBe(200);
  await prolong();
  for (let at = 0; at < 65; at++)
    for (const caller of onBoth(admin)) if ((await search(caller)).status === 200) through++;
  expect(through).toBe(119);
});

test("expired counters are deleted at night", async () => {
  const ada = await person(w, "student", "active");
  await ada.caller.call("shortlist.remove", { id: ada.id });
  const count = async () =>
    Number((await w.services.database.pool.query("select count(*) from brief_limit")).rows[0].count);
  expect(await count()).toBeGreaterThan(0);
  await tidyUp(w.services, new Date(Date.now() + 3_600_000));
  expect(await count()).toBe(0);
});
