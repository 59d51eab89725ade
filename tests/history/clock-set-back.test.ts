import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyAuction } from "#scripts/verify-auction.ts";
import { bid, bidUpTo, storedProduct } from "#tests/support/auctions.ts";
import { openBidFixture } from "#tests/support/bid-fixture.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let stage: Awaited<ReturnType<typeof openBidFixture>>;
let w: Wayfare;
/** A node whose connections see PostgreSQL's clock a minute behind, as after a failover to another machine. */
let behind: Wayfare;
beforeAll(async () => {
  stage = await openBidFixture();
  ({ w } = stage);
  await w.asOwner("create schema clock");
  await w.asOwner("grant usage on schema clock to public");
  await w.asOwner(`create function clock.clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() - interval '1 minute' $$`);
  const on = { ...w.address, options: "-c search_path=public,clock,pg_catalog" };
  behind = await wayfare({ on });
});
afterAll(async () => {
  await behind.stop();
  await stage.stop();
});

test("after a clock was set back, no row is older than the previous one, and replays decide bids in their order", async () => {
  const { id, ada, bea, cleo } = await stage.onSale({
    softClose: true,
    endDate: new Date(Date.now() + 150_000),
  });
  const { rows } = await behind.services.database.pool.query("select clock_timestamp() < now() as late");
  expect(rows).toEqual([{ late: true }]);
  await bidUpTo(ada.caller, id, 500);
  await bid(bea.caller.on(behind.app), id, 200);
  await bidUpTo(ada.caller, id, 400);
  expect((await bidUpTo(ada.caller.on(behind.app), id, 300)).status).toBe(200);
  await bid(cleo.caller.on(behind.app), id, 250);
  const reason = "A test of bids.";
  const voided = { productId: id, number: 2, reason };
  expect((await stage.admin.caller.on(behind.app).call("sales.voidBids", voided)).status).toBe(200);
  const times = (await stage.history(id)).map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(await storedProduct(w, id)).toMatchObject({
    highestBidderId: ada.id,
    price: 25_100,
    leaderLimit: 30_000,
  });
  const get = async (path: string) => await w.app.request(path);
  const { findings } = await verifyAuction(get, { productId: id });
  expect(findings.filter(({ holds }) => !holds)).toEqual([]);
});
