import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settle } from "#server/features/auctions/settlement/settle.ts";
import { bid, endAt, product, remove } from "#tests/support/auctions.ts";
import { ownerOf, problemsOf } from "#tests/support/backups.ts";
import { documentsOf, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { readyPicture } from "#tests/support/pictures.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { checkAll } from "./check.ts";

let w: Wayfare;
let seller: Person;
let item: string;

beforeEach(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
  const bidders = [await person(w, "student", "active"), await person(w, "agent", "approved")];
  item = await product(w, seller);
  for (const amount of [200, 300, 400, 500])
    for (const [at, { caller }] of bidders.entries())
      expect((await bid(caller, item, amount + at)).status).toBe(200);
});
afterEach(() => w.stop());

const problems = () => problemsOf(ownerOf(w), w.services.storage);

test("finds nothing wrong with what Wayfare itself writes", async () => {
  const [sold, unsold, removed] = [
    await product(w, seller),
    await product(w, seller),
    await product(w, seller),
  ];
  const buyer = await person(w, "student", "active");
  expect((await bid(buyer.caller, sold, 900)).status).toBe(200);
  expect((await bid(buyer.caller, removed, 900)).status).toBe(200);
  expect((await remove(seller, removed)).status).toBe(200);
  for (const id of [sold, unsold]) {
    const { rows } = await w.services.database.db.execute<{ now: string }>(
      sql`select clock_timestamp() as now`,
    );
    await endAt(w, id, new Date(new Date(rows[0]?.now ?? "").getTime() + 1));
    await settle({ ...w.services }, id);
  }
  await upload(buyer);
  await readyPicture(buyer);
  expect(await problems()).toEqual([]);
  const summary = await checkAll(ownerOf(w), w.services.storage.disk, () => {});
  expect(summary).toMatchObject({ bids: 10, products: 4, files: 7, problems: 0 });
  expect(summary.head).not.toBe(null);
});

describe("the check of files", () => {
  test("finds a missing one, one of another length, and an empty one", async () => {
    const student = await person(w, "student", "active");
    await upload(student);
    const [document] = await documentsOf(w, student.id);
    const key = document?.storageKey ?? "";
    const picture = `auction-images/${await readyPicture(student)}/800.webp`;
    const { disk } = w.services.storage;
    await disk.put(key, "short");
    await w.services.storage.keep(picture, Readable.from([]));
    expect((await problems()).toSorted()).toEqual([
      `File ${picture}: empty`,
      `File ${key}: has 5 bytes in place of ${document?.size}`,
    ]);
    await disk.delete(key);
    await disk.delete(picture);
    expect((await problems()).toSorted()).toEqual([`File ${picture}: missing`, `File ${key}: missing`]);
  });

  test("reports no file that is deleted during the check", async () => {
    const student = await person(w, "student", "active");
    const { id } = await upload(student);
    const { disk } = w.services.storage;
    const files = {
      exists: (key: string) => disk.exists(key),
      async getMetaData(key: string) {
        expect((await student.caller.call("documents.takeBack", { documentId: id })).status).toBe(200);
        return await disk.getMetaData(key);
      },
      listAll: (...folder: Parameters<typeof disk.listAll>) => disk.listAll(...folder),
    };
    expect((await checkAll(ownerOf(w), files, () => {})).problems).toBe(0);
  });
});

const damages: [what: string, statement: string, problem: string][] = [
  ["a bid that is gone", "delete from auction_bid where number = 3", "bid 4 follows bid 2"],
  [
    "a bid below the one before",
    "update auction_bid set amount = 100001 where number = 3",
    "bid 4 is below the bid before it",
  ],
  [
    "a bid below the start",
    "update auction_bid set amount = 1 where number = 1",
    "bid 1 is below the starting bid",
  ],
  [
    "a bid out of time",
    "update auction_bid set created_at = created_at - interval '1 day' where number = 5",
    "bid 5 is older than the bid before it",
  ],
  ["a bid after the end", "update auction_bidding set ends_at = '2000-01-01'", "bid 1 came after the end"],
  [
    "a bid of the seller",
    "update auction_product set seller_id = (select bidder_id from auction_bid where number = 1)",
    "bid 1 is the seller's own",
  ],
  ["another price", "update auction_bidding set price = price + 1", "has another price than its highest bid"],
  [
    "another leader",
    "update auction_bidding set highest_bidder_id = 'nobody'",
    "has another leader than its highest bid",
  ],
  ["another count", "update auction_bidding set bid_count = 9, version = 99", "counts 9 bids and has 8"],
  ["an old version", "update auction_bidding set version = 3", "has a version that its bids are ahead of"],
  [
    "a half-closed auction",
    "update auction_product set state = 'unsold'",
    "is open for bids and closed at the same time",
  ],
  [
    "a lost list entry",
    "delete from auction_bidder where number = 8",
    "lists a bidder otherwise than their bids do",
  ],
  [
    "a sale for an amount that nobody bid",
    `with closed as (update auction_bidding set open = false)
     update auction_product set state = 'sold', winning_bid = 7, closed_at = now()`,
    "was sold for what its winner has not bid",
  ],
];

test.each(damages)("finds %s among the bids", async (_, statement, problem) => {
  await w.services.database.pool.query(statement);
  expect(await problems()).toContain(`Product ${item}: ${problem}`);
});
