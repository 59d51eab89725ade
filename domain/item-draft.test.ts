import { expect, test } from "vitest";
import { auctionLimits } from "./auction.ts";
import { emptyDraft, isEmptyDraft, readDraft } from "./item-draft.ts";

test("a draft is read field by field, whatever is stored", () => {
  expect(readDraft({})).toEqual(emptyDraft);
  expect(readDraft({ productName: "Desk", grade: 3, unknown: "x" })).toEqual({
    ...emptyDraft,
    productName: "Desk",
  });
  expect(readDraft({ productName: "x".repeat(500) }).productName).toHaveLength(auctionLimits.productName);
});

test("a longer text is cut, but never within a character", () => {
  const { softClose } = readDraft({ softClose: "𐀀𐀀" });
  expect(softClose).toHaveLength(3);
  expect(softClose.isWellFormed()).toBe(true);
});

test("a draft of spaces is empty, but one with a picture isn't", () => {
  expect(isEmptyDraft({ ...emptyDraft, description: " \n" }, 0)).toBe(true);
  expect(isEmptyDraft(emptyDraft, 1)).toBe(false);
  expect(isEmptyDraft({ ...emptyDraft, courier: "0" }, 0)).toBe(false);
});
