import { afterAll, beforeAll, expect, test, vi } from "vitest";

// The increment, which is one rand, and the minimum starting bid are equal: only mocked amounts show which is used.
const mockedAmounts = { centsPerRand: 250, minStartingBid: 700 };
beforeAll(() => {
  // Other files of this worker have loaded the modules with the real amounts, and will again.
  vi.resetModules();
  vi.doMock(import("./money.ts"), async (importOriginal) => ({
    ...(await importOriginal()),
    ...mockedAmounts,
  }));
});
afterAll(() => {
  vi.doUnmock(import("./money.ts"));
  vi.resetModules();
});

test("a bid exceeds the highest one by the increment", async () => {
  const { leastBid } = await import("./bid.ts");
  expect(leastBid({ highestBid: 1_000, startingBid: 800 })).toBe(1_250);
  expect(leastBid({ highestBid: null, startingBid: 800 })).toBe(800);
});

test("an auction starts at the minimum starting bid", async () => {
  const { checkProduct } = await import("./product-check.ts");
  const now = new Date("2026-11-21T12:00:00.000Z");
  const form = {
    productName: "Desk",
    description: "As described",
    category: "home",
    subcategory: "Decor",
    grade: "New",
    handover: "Collection",
    softClose: false,
    collectionPlace: "",
    courier: "",
    endDate: new Date(now.getTime() + 24 * 60 * 60 * 1000),
    images: 1,
  };
  const message = "The starting bid must be at least R7.00.";
  expect(checkProduct({ ...form, startingBid: "6.99" }, now)).toMatchObject({ message });
  expect(checkProduct({ ...form, startingBid: "7" }, now)).toMatchObject({ startingBid: 700 });
});
