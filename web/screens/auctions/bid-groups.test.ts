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

test("bids that need an act stand first; within a group they keep their order", () => {
  expect(
    groups(bid("a", "outbid"), bid("b", "outbid"), bid("c", "winning"), bid("d", "won"), bid("e", "lost")),
  ).toEqual([
    ["Outbid", "a,b"],
    ["Winning", "c"],
    ["Won", "d"],
    ["Lost", "e"],
  ]);
});

test("one that stands otherwise on a later page is shown once, as it stands then", () => {
  expect(groups(bid("a", "winning"), bid("b", "winning"), bid("a", "lost"))).toEqual([
    ["Winning", "b"],
    ["Lost", "a"],
  ]);
});

test("it says who took a product off sale, and why an administrator did", () => {
  expect(removalText({ removedBy: "seller", reason: "" })).toBe("Removed by the seller");
  expect(removalText({ removedBy: "admin", reason: "A copy." })).toBe("Removed by an administrator: A copy.");
  expect(removalText({ removedBy: "withdrawn", reason: "" })).toBe("Withdrawn");
});
