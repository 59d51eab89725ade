import { expect, test } from "vitest";
import type { MyBid } from "#contract/auctions.ts";
import { grouped, removalText } from "./bid-groups.ts";

const bid = (productId: string, standing: MyBid["standing"], endsIn: number): MyBid => ({
  productId,
  productName: "Walnut writing desk",
  picture: null,
  standing,
  removedBy: null,
  reason: "",
  amount: 20_000,
  price: 20_000,
  endDate: new Date(endsIn),
  since: new Date(0),
});

test("what needs doing stands first, and of that what ends first; the rest stays as it came", () => {
  const groups = grouped([
    bid("a", "lost", 1),
    bid("b", "winning", 9),
    bid("c", "outbid", 8),
    bid("d", "lost", 0),
    bid("e", "outbid", 2),
    bid("f", "won", 3),
  ]);
  expect(groups.map(({ title, bids }) => [title, bids.map(({ productId }) => productId).join()])).toEqual([
    ["Outbid", "e,c"],
    ["Winning", "b"],
    ["Won", "f"],
    ["Lost", "a,d"],
  ]);
});

test("it says who took a product off sale, and why an administrator did", () => {
  expect(removalText({ removedBy: "seller", reason: "" })).toBe("Removed by the seller");
  expect(removalText({ removedBy: "admin", reason: "A copy." })).toBe("Removed by an administrator: A copy.");
  expect(removalText({ removedBy: "withdrawn", reason: "" })).toBe("Withdrawn");
});
