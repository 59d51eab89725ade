import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MyBid } from "#contract/auctions.ts";
import { ownAuctionsPerPage } from "#protocol/page-sizes.ts";
import { writeCursor } from "#server/platform/keyset-list.ts";
import { closed, product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import { auctionBidder, auctionBidding } from "../tables.ts";

let w: Wayfare;
let seller: Person;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "agent", "approved");
});
afterAll(() => w.stop());

const student = () => person(w, "student", "active");

async function myBids(who: Person, cursor?: string) {
  const answer = await who.caller.call("auctions.myBids", { ...(cursor && { cursor }) });
  expect(answer.status).toBe(200);
  return answer.body as { bids: MyBid[]; next: string | null };
}

type Offer = NonNullable<Parameters<typeof product>[2]>;

/** Creates these products with bids by a person, two bids in each millisecond. */
async function bidsOn(who: Person, offers: readonly Offer[]): Promise<string[]> {
  const ids = await Promise.all(offers.map((offer) => product(w, seller, offer)));
  await w.services.database.db.insert(auctionBidder).values(
    ids.map((productId, index) => ({
      productId,
      bidderId: who.id,
      since: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 2)),
      amount: 20_000,
      number: 1,
    })),
  );
  return ids;
}

/** Reads all pages, and expects these sizes. */
async function allPages(who: Person, sizes: readonly number[]): Promise<MyBid[]> {
  const bids: MyBid[] = [];
  let cursor: string | undefined;
  for (const expected of sizes) {
    const page = await myBids(who, cursor);
    expect(page.bids).toHaveLength(expected);
    bids.push(...page.bids);
    cursor = page.next ?? undefined;
  }
  expect(cursor).toBeUndefined();
  return bids;
}

const many = <Each>(count: number, each: Each): Each[] => Array.from({ length: count }, () => each);
const idsOf = (bids: readonly MyBid[]) => bids.map(({ productId }) => productId);

test("each page continues where the last one ended, even among products that end at the same time", async () => {
  const ada = await student();
  const endDate = new Date(Date.now() + 3_600_000);
  const ids = await bidsOn(ada, [...many(40, { endDate }), ...many(2 * ownAuctionsPerPage - 39, closed)]);
  const bids = await allPages(ada, [ownAuctionsPerPage, ownAuctionsPerPage, 1]);
  expect(idsOf(bids).toSorted()).toEqual(ids.toSorted());
});

test("each group is complete before the next one begins, however many pages it takes", async () => {
  const ada = await student();
  const inMinutes = (minutes: number) => ({ endDate: new Date(Date.now() + minutes * 60_000) });
  const sold = { ...closed, state: "sold", winnerId: ada.id, winningBid: 20_000 } as const;
  const [late, soon, winning, won, removed, ...lost] = await bidsOn(ada, [
    inMinutes(60),
    inMinutes(30),
    inMinutes(5),
    sold,
    { ...closed, state: "removed", removedBy: "seller" },
    ...many(ownAuctionsPerPage, closed),
  ]);
  await w.services.database.db
    .update(auctionBidding)
    .set({ highestBidderId: ada.id })
    .where(eq(auctionBidding.productId, winning ?? ""));
  const bids = await allPages(ada, [ownAuctionsPerPage, 5]);
  expect(bids.map(({ position }) => position)).toEqual([
    ...many(2, "outbid"),
    "winning",
    "won",
    ...many(lost.length, "lost"),
    "removed",
  ]);
  expect([...idsOf(bids).slice(0, 4), idsOf(bids).at(-1)]).toEqual([soon, late, winning, won, removed]);
  // Among closed auctions, the one whose bidding this person began last comes first.
  const begun = bids.slice(4, -1).map(({ since }) => String(since));
  expect(begun).toEqual(begun.toSorted().toReversed());
});

test("a full last page has no next cursor", async () => {
  const ada = await student();
  await bidsOn(ada, many(ownAuctionsPerPage, {}));
  expect((await myBids(ada)).next).toBeNull();
});

test.each(["", "nonsense", writeCursor(["1", "no-uuid"]), writeCursor(["1e9", crypto.randomUUID()])])(
  "the cursor %j is refused",
  async (cursor) => {
    const { caller } = await student();
    expect(await caller.call("auctions.myBids", { cursor })).toMatchObject({ code: "invalid-argument" });
  },
);
