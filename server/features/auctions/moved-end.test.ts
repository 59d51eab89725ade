import { asc, eq } from "drizzle-orm";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { MyBid, OwnProduct } from "#contract/auctions.ts";
import type { ListedProduct } from "#contract/listed-products.ts";
import { removalMessages } from "#domain/auction-removal.ts";
import { contactDays } from "#domain/deletion.ts";
import { endAt, bid as placeBid, product, remove, storedProduct } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { until, type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { settleDue } from "./settlement/closer.ts";
import { auctionBid } from "./tables.ts";

let w: Wayfare;
let second: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  second = await wayfare({ on: w.address });
  seller = await person(w, "student", "active");
});
afterAll(async () => {
  await second.stop();
  await w.stop();
});

const student = () => person(w, "student", "active");
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

async function transaction(): Promise<pg.PoolClient> {
  const client = await w.services.database.pool.connect();
  onTestFinished(() => client.release(true));
  await client.query("begin");
  return client;
}

/** Keeps an auction from being settled or bid on, but lets its end be moved. */
const hold = (client: pg.PoolClient, id: string) =>
  client.query("select from auction_bidding where product_id = $1 for key share", [id]);

/** Moves the end under the lock, as a late bid would. */
const moveEnd = (client: pg.PoolClient, id: string, endsAt: Date) =>
  client.query("update auction_bidding set ends_at = $2, version = version + 1 where product_id = $1", [
    id,
    endsAt,
  ]);

const isBidWaiting = async () => {
  const { rows } = await w.services.database.pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update of b'",
  );
  return rows.length > 0;
};

describe("an end that moves while others wait for the lock", () => {
  test("accepts a bid sent after the former end, and the closer leaves the auction open", async () => {
    const [ada, id] = [await student(), await product(w, seller)];
    const client = await transaction();
    await hold(client, id);
    await endAt(w, id, inHours(-1));
    const answer = placeBid(ada.caller, id, 200);
    await until(isBidWaiting);
    const closing = settleDue(w.services);
    await moveEnd(client, id, inHours(1));
    await client.query("commit");
    expect((await answer).status).toBe(200);
    await closing;
    await settleDue(w.services);
    expect(await storedProduct(w, id)).toMatchObject({ state: "open", bidCount: 1 });
  });

  test("refuses a bid sent before the former end", async () => {
    const [ada, id] = [await student(), await product(w, seller)];
    const client = await transaction();
    await moveEnd(client, id, inHours(-1));
    const answer = placeBid(ada.caller, id, 200);
    await until(isBidWaiting);
    await client.query("commit");
    expect(await answer).toMatchObject({
      code: "failed-precondition",
      message: "This auction has ended.",
    });
    await settleDue(w.services);
    expect(await storedProduct(w, id)).toMatchObject({ state: "unsold", bidCount: 0 });
  });
});

test("an auction that is extended is settled after its last end, at the price of its last bid", async () => {
  const bidders = await Promise.all(Array.from({ length: 8 }, student));
  const nodes = [w, second];
  const callers = bidders.map(({ caller }, at) => {
    const elsewhere = new Caller(nodes[Math.floor(at / 2) % 2]?.app ?? w.app);
    for (const [name, value] of caller.cookies) elsewhere.cookies.set(name, value);
    return elsewhere;
  });
  const id = await product(w, seller, { endDate: new Date(Date.now() + 300) });
  /** The ends that the auction had, each with the number of bids that were placed before it was set. */
  const ends: { bids: number; endsAt: Date }[] = [{ bids: 0, endsAt: (await storedProduct(w, id)).endsAt }];

  const extend = async () => {
    for (let round = 0; round < 8; round++) {
      const { rows } = await w.services.database.pool.query<{ bids: number; endsAt: Date }>(
        `update auction_bidding set ends_at = ends_at + interval '50 milliseconds', version = version + 1
         where product_id = $1 and open and ends_at > clock_timestamp()
         returning bid_count as bids, ends_at as "endsAt"`,
        [id],
      );
      ends.push(...rows);
    }
  };
  /**
   * Bids as two people in turn until the auction has ended, because a single bidder would soon be refused for raising
   * their own bid too often. Returns the database's time of the last answer.
   */
  const bidOn = async (pair: readonly Caller[], at: number): Promise<Date> => {
    for (let turn = 0; ; turn++) {
      const { code, body } = await placeBid(pair[turn % 2] ?? new Caller(w.app), id, 150 + at + 4 * turn);
      if (code === "failed-precondition") return new Date(Object(body).data.at);
    }
  };
  const pairs = [0, 1, 2, 3].map((at) => callers.slice(2 * at, 2 * at + 2));
  const [, ...refusedAt] = await Promise.all([extend(), ...pairs.map(bidOn)]);

  await until(async () => (await storedProduct(w, id)).state !== "open");
  const settled = await storedProduct(w, id);
  const bids = await w.services.database.db
    .select({ number: auctionBid.number, amount: auctionBid.amount, at: auctionBid.createdAt })
    .from(auctionBid)
    .where(eq(auctionBid.productId, id))
    .orderBy(asc(auctionBid.number));
  for (const { number, at } of bids) {
    const end = ends.findLast(({ bids: before }) => before < number)?.endsAt;
    expect(at.getTime()).toBeLessThan(end?.getTime() ?? 0);
  }
  const last = settled.endsAt.getTime();
  expect(ends.at(-1)?.endsAt.getTime()).toBe(last);
  for (const at of refusedAt) expect(at.getTime()).toBeGreaterThanOrEqual(last);
  expect(settled.closedAt?.getTime()).toBeGreaterThanOrEqual(last);
  expect(settled).toMatchObject({ bidCount: bids.length, winningBid: bids.at(-1)?.amount ?? null });
});

describe("an end that has moved", () => {
  type List = { products: ListedProduct[]; count: number | null };
  const readList = async (input: object) => {
    const { status, body } = await new Caller(w.app).call("auctions.list", { grade: "Grade C", ...input });
    expect(status).toBe(200);
    return body as List;
  };

  test("orders and filters every list, with and without a search", async () => {
    const [later, unmoved, over] = [
      await product(w, seller, { productName: "First heron", grade: "Grade C", endDate: inHours(1) }),
      await product(w, seller, { productName: "Second heron", grade: "Grade C", endDate: inHours(2) }),
      await product(w, seller, { productName: "Third heron", grade: "Grade C", endDate: inHours(3) }),
    ];
    const endsAt = inHours(4);
    await endAt(w, later, endsAt);
    await hold(await transaction(), over);
    await endAt(w, over, inHours(-1));
    expect((await readList({})).count).toBe(2);
    for (const search of ["", "heron"]) {
      const { products } = await readList({ search, sort: "endingSoonest" });
      expect(products.map(({ id }) => id)).toEqual([unmoved, later]);
      expect(products[1]?.endDate).toBe(endsAt.toISOString());
      for (const sort of ["newest", "priceUp", "priceDown"]) {
        const ids = (await readList({ search, sort })).products.map(({ id }) => id);
        expect(new Set(ids)).toEqual(new Set([unmoved, later]));
      }
    }
  });

  test("shows on the product's page, in My bids and among the seller's products", async () => {
    const [ada, own] = [await student(), await student()];
    const [later, unmoved] = [
      await product(w, own, { endDate: inHours(1) }),
      await product(w, own, { endDate: inHours(2) }),
    ];
    for (const id of [later, unmoved]) expect((await placeBid(ada.caller, id, 200)).status).toBe(200);
    const endsAt = inHours(4);
    await endAt(w, later, endsAt);
    await until(async () => (await w.services.products.read(later))?.endDate === endsAt.getTime());
    const { bids } = (await ada.caller.call("auctions.myBids", {})).body as { bids: MyBid[] };
    expect(bids.map(({ productId }) => productId)).toEqual([unmoved, later]);
    expect(bids[1]?.endDate).toBe(endsAt.toISOString());
    const { products } = (await own.caller.call("auctions.own", {})).body as { products: OwnProduct[] };
    expect(products.find(({ id }) => id === later)?.endDate).toBe(endsAt.toISOString());
    await hold(await transaction(), unmoved);
    await endAt(w, unmoved, inHours(-1));
    const after = (await own.caller.call("auctions.own", {})).body as { products: OwnProduct[] };
    expect(after.products.find(({ id }) => id === unmoved)?.state).toBe("ended");
  });

  test("decides when the last 12 hours begin, for a removal and for a leaving seller", async () => {
    const [ada, leaver] = [await student(), await student()];
    const [later, sooner, leaversId] = [
      await product(w, seller, { endDate: inHours(11) }),
      await product(w, seller, { endDate: inHours(13) }),
      await product(w, leaver, { endDate: inHours(13) }),
    ];
    for (const id of [later, sooner, leaversId])
      expect((await placeBid(ada.caller, id, 200)).status).toBe(200);
    await endAt(w, later, inHours(13));
    for (const id of [sooner, leaversId]) await endAt(w, id, inHours(11));
    expect((await remove(seller, later)).status).toBe(200);
    expect((await remove(seller, sooner)).message).toBe(removalMessages.lastHours);
    expect((await leaver.caller.call("account.requestDeletion")).status).toBe(200);
    expect((await storedProduct(w, leaversId)).state).toBe("open");
  });

  test("decides how long a bidder's account is kept, and the mail says so", async () => {
    const ada = await student();
    const id = await product(w, seller, { endDate: inHours(24 * 30) });
    expect((await placeBid(ada.caller, id, 200)).status).toBe(200);
    const endsAt = inHours(24 * 40);
    await endAt(w, id, endsAt);
    const dueAt = new Date(endsAt.getTime() + contactDays * 24 * 3_600_000);
    const { body } = await ada.caller.call("account.requestDeletion");
    expect(body).toMatchObject({ dueAt: dueAt.toISOString(), ties: [{ kind: "bid" }] });
    // Either node may send the mail.
    const mail = () =>
      [...w.log, ...second.log].find(
        ({ to, subject }) => to === ada.email && subject?.startsWith("Your account will"),
      );
    await w.mailsAreDue();
    const { subject } = await until(mail);
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(dueAt);
    expect(subject).toContain(day);
  });
});
