import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fixture, openFixture } from "#tests/load/fixture.ts";
import { bidThroughKills, killPostgres, killServer } from "#tests/load/kills.ts";
import { acrossTheEnd, equalBids, randomBids } from "#tests/load/scenarios.ts";
import { freshDatabase } from "#tests/support/wayfare.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let fixture: Fixture;
beforeAll(async () => {
  database = await freshDatabase();
  fixture = await openFixture({
    bidders: 51,
    lots: 10,
    on: { owner: database.owner, application: database.address },
  });
});
afterAll(async () => {
  await fixture.stop();
  await database.drop();
});

/** Returns the fixture with some of its lots: each test has its own. */
const withLots = (from: number, to: number): Fixture => ({ ...fixture, lots: fixture.lots.slice(from, to) });

// A short version of `npm run test:load`.
test("of 50 equal concurrent bids through two processes, exactly one is accepted", async () => {
  const { violations } = await equalBids(withLots(0, 1));
  expect(violations).toEqual([]);
});

test("1,000 random operations through two processes keep the promise", async () => {
  const seed = Date.now() % 100_000;
  const { violations, figures } = await randomBids(withLots(1, 6), 1_000, seed);
  expect(violations, figures).toEqual([]);
});

test("200 bids around the end through two processes: none is accepted at or after it, none refused before it", async () => {
  const { violations } = await acrossTheEnd(withLots(6, 10), 200);
  expect(violations).toEqual([]);
});

// `npm run test:load` measures the recovery time, on an otherwise idle machine.
test.each([
  ["the server", killServer],
  ["PostgreSQL", killPostgres],
])("kill -9 of %s while bids arrive: no acknowledged bid is lost, and bidding resumes", async (_, kill) => {
  const { violations } = await bidThroughKills(kill, 1, { within: Number.POSITIVE_INFINITY });
  expect(violations).toEqual([]);
});
