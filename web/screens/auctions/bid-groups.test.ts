import { expect, test } from "vitest";
import type { MyBid } from "#contract/auctions.ts";
import { grouped, removalText } from "./bid-groups.ts";

const bid = (productId: string, position: MyBid["position"]): MyBid => ({
  productId,
  productName: "Walnut writing desk",
  picture: null,
  position,
  removedBy: null,
  reason: "",
  amount: 20_000,
  price: 20_000,
  endDate: new Date(0),
  sold: false,
  since: new Date(0),
});

const groups = (...bids: MyBid[]) =>
  grouped(bids).map((group) => [group.title, group.bids.map(({ productId }) => productId).join()]);

test("puts bids that need an action first, and keeps their order within a group", () => {
  expect(
    groups(bid("a", "outbid"), bid("b", "outbid"), bid("c", "winning"), bid("d", "won"), bid("e", "lost")),
  ).toEqual([
    ["Outbid", "a,b"],
    ["Winning", "c"],
    ["Won", "d"],
    ["Lost", "e"],
  ]);
});

test("shows a bid whose position differs on a later page once, in its later position", () => {
  expect(groups(bid("a", "winning"), bid("b", "winning"), bid("a", "lost"))).toEqual([
    ["Winning", "b"],
    ["Lost", "a"],
  ]);
});

test("says who took a product off sale, with an administrator's reason", () => {
  expect(removalText({ removedBy: "seller", reason: "" })).toBe("Removed by the seller");
  expect(removalText({ removedBy: "admin", reason: "A copy." })).toBe("Removed by an administrator: A copy.");
  expect(removalText({ removedBy: "withdrawn", reason: "" })).toBe("Withdrawn");
});
