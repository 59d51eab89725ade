import { expect, test } from "vitest";
import { queryClient } from "../../../lib/query-client.ts";
import { api } from "../../../lib/rpc.ts";
import { noteBid, type ViewerPart, viewerRelation } from "./viewer-relation.ts";

const bid = (tag: string) => ({
  number: 1,
  bidder: "A***i",
  tag,
  amount: 100,
  at: 0,
  automatic: false,
  counts: true,
});
const open = { state: "open", leader: "ada", winner: null, bids: [bid("ada")] } as const;
const sold = { ...open, state: "sold", winner: "bea" } as const;
const relation = (tag: string, ownBid: number | null = 100, isSeller = false): ViewerPart => ({
  tag,
  ownBid,
  isSeller,
});

test("while it is open the leader is winning and other bidders are outbid", () => {
  expect(viewerRelation({ ...open, bids: [...open.bids] }, relation("ada"))).toBe("winning");
  expect(viewerRelation({ ...open, bids: [] }, relation("bea"))).toBe("outbid");
});

test("counts a bid from another tab before the facts are refetched", () => {
  expect(viewerRelation({ ...open, bids: [bid("ada")] }, relation("ada", null))).toBe("winning");
  expect(viewerRelation({ ...open, bids: [bid("ada"), bid("bea")] }, relation("bea", null))).toBe("outbid");
});

test("once it is sold the winner has won, even if others bid more, and nobody wins an unsold product", () => {
  expect(viewerRelation({ ...sold, bids: [] }, relation("bea"))).toBe("won");
  expect(viewerRelation({ ...sold, bids: [] }, relation("ada"))).toBe("lost");
  expect(viewerRelation({ ...open, state: "unsold", bids: [] }, relation("ada"))).toBe("lost");
});

test("a bidder with withdrawn bids isn't outbid until there is a new one", () => {
  const withdrawn = { ...bid("ada"), counts: false, void: "withdrawn" } as const;
  const row = { ...bid("ada"), row: "withdrawn" } as const;
  const mine = { ...relation("ada", null), withdrawn: true };
  const led = { ...open, leader: "bea" };
  expect(viewerRelation({ ...led, bids: [row, withdrawn] }, mine)).toBe("withdrawn");
  expect(viewerRelation({ ...led, bids: [bid("ada"), row, withdrawn] }, mine)).toBe("outbid");
});

test("returns seller for the seller, and none for a viewer without a bid", () => {
  expect(viewerRelation({ ...open, bids: [] }, relation("cleo", null, true))).toBe("seller");
  expect(viewerRelation({ ...open, bids: [] }, relation("cleo", null))).toBe("none");
  expect(viewerRelation({ ...open, bids: [] }, null)).toBe("none");
});

test("adds an accepted bid to the viewer's facts about that product, if they are cached", () => {
  const facts = { tag: "ada", isSeller: false, ownBid: null, withdrawn: false, names: {}, contact: null };
  const keyOf = (productId: string) => [...api.auctions.relation.queryKey({ input: { productId } }), "open"];
  for (const productId of ["lamp", "desk"]) queryClient.setQueryData(keyOf(productId), facts);
  for (const productId of ["lamp", "chair"]) noteBid(productId, "exact", 200);
  expect(queryClient.getQueryData(keyOf("lamp"))).toEqual({ ...facts, ownBid: 200 });
  expect(queryClient.getQueryData(keyOf("desk"))).toEqual(facts);
  expect(queryClient.getQueryData(keyOf("chair"))).toBeUndefined();
});
