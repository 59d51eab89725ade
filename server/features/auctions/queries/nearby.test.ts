import { describe, expect, test } from "vitest";
import { orders } from "./auction-order.ts";
import { nearbyFor } from "./nearby.ts";

const day = 86_400_000;
const begun = (keys: readonly string[], from: string | null = null) => ({
  found: keys.map((key) => ({ key, id: "" })),
  among: 1_000,
  wanted: 25,
  from,
});
const date = (days: number) => new Date(days * day).toISOString();
const onDays = (from: number, ...days: number[]) => begun(days.map(date), date(from));
const daysTo = (to: string | undefined) => Date.parse(to ?? "") / day;
/** 101 bounds from R1 to R101, of 100,000 auctions: a thousand between each two. */
const spread = { bounds: Array.from({ length: 101 }, (_, at) => 100 + at * 100), open: 100_000 };

describe("times", () => {
  test("eight products a day: a page of 25 is within three, and looked for generously", () => {
    const nearby = nearbyFor(orders.endingSoonest, onDays(10, 10.125, 10.25, 10.375, 10.5), spread);
    expect(daysTo(nearby?.from)).toBe(10.125);
    expect(daysTo(nearby?.to)).toBeCloseTo(10 + (25 * 2.25) / 8);
  });

  test("an order that goes down is looked through downwards", () => {
    const nearby = nearbyFor(orders.newest, onDays(100, 99.9, 99.8), spread);
    expect(daysTo(nearby?.to)).toBeCloseTo(100 - 2.5 * 3);
  });

  test("the first page begins now", () => {
    const now = Date.now();
    const nearby = nearbyFor(orders.endingSoonest, begun([new Date(now + 3_600_000).toISOString()]), spread);
    const hours = (Date.parse(nearby?.to ?? "") - now) / 3_600_000;
    expect(hours).toBeGreaterThan(100);
    expect(hours).toBeLessThan(25 * 4.5 + 1);
  });
});

describe("prices", () => {
  test("ten among a thousand: 25 are within 2,500, and looked for generously, in whole steps", () => {
    const prices = Array.from({ length: 10 }, (_, at) => String(5_010 + at));
    expect(nearbyFor(orders.priceUp, begun(prices), spread)).toEqual({ from: "5010", to: "5600" });
    const down = nearbyFor(orders.priceDown, begun(prices.toReversed()), spread);
    expect(down).toEqual({ from: "5019", to: "4500" });
  });

  test("no further than there are prices", () => {
    expect(nearbyFor(orders.priceUp, begun(["10000", "10000", "10000"]), spread)?.to).toBe("10100");
    expect(nearbyFor(orders.priceDown, begun(["200", "200", "150"]), spread)?.to).toBe("100");
  });

  test("without statistics everything is looked through", () => {
    expect(nearbyFor(orders.priceUp, begun(["1", "1", "1"]), { bounds: [], open: -1 })).toBeNull();
  });
});

test("none to tell by, or far apart: everything is looked through", () => {
  expect(nearbyFor(orders.newest, onDays(1), spread)).toBeNull();
  expect(nearbyFor(orders.priceUp, begun([]), spread)).toBeNull();
  expect(nearbyFor(orders.endingSoonest, onDays(1, 2, 3, 4), spread)).toBeNull();
});
