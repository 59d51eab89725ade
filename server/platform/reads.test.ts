import { afterAll, beforeAll, expect, test } from "vitest";
import { createMetrics } from "#server/metrics.ts";
import { openProxy } from "#tests/fakes/proxy.ts";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { person } from "#tests/support/factories.ts";
import { freshDatabase, until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/** Another database of the same server in place of a replica. It lacks the primary's rows. */
let other: Awaited<ReturnType<typeof freshDatabase>>;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let w: Wayfare;
let id: string;
beforeAll(async () => {
  other = await freshDatabase();
  const { host, user, database } = other.address;
  proxy = await openProxy(() => ({ path: `${host}/.s.PGSQL.5432` }));
  const DATABASE_REPLICA_URL = `postgres://${user}@127.0.0.1:${proxy.port}/${database}`;
  w = await wayfare({ variables: { DATABASE_URL: "postgres://unused", DATABASE_REPLICA_URL } });
  id = await product(w, await person(w, "student", "active"), { productName: "Brass lamp" });
});
afterAll(async () => {
  await w.stop();
  await proxy.stop();
  await other.drop();
});

/** Returns the number of items in the list. Every request must succeed. */
async function countItems(input: { search?: string } = {}): Promise<number> {
  const { status, body } = await new Caller(w.app).call("auctions.list", input);
  expect(status).toBe(200);
  const { products } = body as { products: unknown[] };
  return products.length;
}
const fromReplica = (input = {}) => until(async () => (await countItems(input)) === 0);
const fromPrimary = (input = {}) => until(async () => (await countItems(input)) === 1);
const isUsed = async () => /^wayfare_replica_used (.)$/m.exec(await createMetrics(w.services).metrics())?.[1];

test("lists and searches are read from the replica, and nothing else is", async () => {
  await fromReplica();
  await fromReplica({ search: "lamp" });
  expect(await isUsed()).toBe("1");
  expect((await w.app.request(`/auctions/products/${id}`)).status).toBe(200);
  const bids = await new Caller(w.app).call("auctions.bids", { productId: id, below: 9 });
  expect(bids.status).toBe(200);
});

test.each(["refuse", "swallow"] as const)(
  "lists are read from the primary while the replica is away (%s), and from the replica when it is back",
  async (mode) => {
    await fromReplica();
    const after = w.log.length;
    const untilLogged = (msg: string) => until(() => w.log.slice(after).some((line) => line.msg === msg));
    proxy.be(mode);
    await fromPrimary();
    await fromPrimary({ search: "lamp" });
    await untilLogged("the replica is too far behind or away: lists are read from the primary");
    expect(await isUsed()).toBe("0");
    proxy.be("forward");
    await fromReplica();
    await untilLogged("lists are read from the replica again");
  },
);

test("without a replica there is no metric of one", async () => {
  const alone = await wayfare();
  expect(await createMetrics(alone.services).metrics()).not.toMatch(/^wayfare_replica_used /m);
  await alone.stop();
});
