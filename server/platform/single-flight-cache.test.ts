import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSingleFlightCache } from "./single-flight-cache.ts";

test("who asks for the same at the same time, or shortly after, gets what was made once", async () => {
  const cache = createSingleFlightCache<number>(60_000, 2);
  let made = 0;
  const make = async () => ++made;
  expect(await Promise.all([cache.get("a", make), cache.get("a", make)])).toEqual([1, 1]);
  expect(await cache.get("a", make)).toBe(1);
  expect(await cache.get("b", make)).toBe(2);
});

test("after that it is made anew, and so is what failed", async () => {
  const cache = createSingleFlightCache<number>(0, 2);
  let made = 0;
  const make = async () => ++made;
  expect(await cache.get("a", make)).toBe(1);
  await setTimeout(5);
  expect(await cache.get("a", make)).toBe(2);
  const lasting = createSingleFlightCache<number>(60_000, 2);
  await expect(lasting.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await lasting.get("a", make)).toBe(3);
});

test("only so many different ones are made at a time; the others wait for their turn", async () => {
  const cache = createSingleFlightCache<string>(60_000, 2);
  const { promise, resolve } = Promise.withResolvers<string>();
  const all = ["a", "b"].map((key) => cache.get(key, () => promise));
  let begun = false;
  const third = cache.get("c", async () => {
    begun = true;
    return "c";
  });
  await setTimeout(1);
  expect([begun, cache.waiting()]).toEqual([false, 1]);
  expect([cache.has("a"), cache.has("c"), cache.has("d")]).toEqual([true, true, false]);
  resolve("made");
  expect(await Promise.all([...all, third])).toEqual(["made", "made", "c"]);
  expect(cache.waiting()).toBe(0);
});
