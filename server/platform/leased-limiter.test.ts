import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { expect, test } from "vitest";
import { LeasedLimiter } from "./leased-limiter.ts";

/** Creates a limiter that records the size of every lease. */
function recordingLimiter(points: number) {
  const limiter = new RateLimiterMemory({ points, duration: 600 });
  const sizes: number[] = [];
  return {
    sizes,
    consume(key: string, size: number) {
      sizes.push(size);
      return limiter.consume(key, size);
    },
  };
}
const outcomes = async (times: number, consume: () => Promise<unknown>) => {
  const settled = await Promise.allSettled(Array.from({ length: times }, consume));
  const passed = settled.filter(({ status }) => status === "fulfilled").length;
  for (const each of settled)
    if (each.status === "rejected") expect(each.reason).toBeInstanceOf(RateLimiterRes);
  return passed;
};

test("lets exactly the limit through, concurrently or one by one, and takes each lease once", async () => {
  const limiter = recordingLimiter(100);
  const leased = new LeasedLimiter(limiter, 20);
  for (let at = 0; at < 30; at++) await leased.consume("a");
  expect(limiter.sizes).toEqual([20, 20]);
  expect(await outcomes(200, () => leased.consume("a"))).toBe(70);
  expect(limiter.sizes.slice(0, 5)).toEqual([20, 20, 20, 20, 20]);
  expect(await outcomes(1, () => leased.consume("b"))).toBe(1);
});

test("two nodes that share a limiter let no more through together", async () => {
  const limiter = recordingLimiter(100);
  const nodes = [new LeasedLimiter(limiter, 20), new LeasedLimiter(limiter, 20)];
  let at = 0;
  expect(await outcomes(300, async () => await nodes[at++ % 2]?.consume("a"))).toBe(100);
});

test("lets all calls through while the limiter fails, without querying it for each", async () => {
  let calls = 0;
  const failing = {
    consume: async () => {
      calls++;
      throw new Error("no connection");
    },
  };
  const leased = new LeasedLimiter(failing, 20);
  expect(await outcomes(100, () => leased.consume("a"))).toBe(100);
  expect(calls).toBe(1);
});
