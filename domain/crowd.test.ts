import { expect, test } from "vitest";
import { crowdLimits, isCounted, visibleWatcherCount } from "./crowd.ts";

test("the number of watchers is shown from 50 on", () => {
  expect([0, 49, 50, 63].map(visibleWatcherCount)).toEqual([null, null, 50, 63]);
});

test("watchers are counted only in the last two minutes", () => {
  const { window } = crowdLimits;
  expect([window + 1, window, 1, 0, -1].map((time) => isCounted(1_000_000 + time, 1_000_000))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
