import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { watchTime } from "./watch-time.ts";

describe("watchTime", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  let now = 0;
  let leap: () => void = () => {};
  let ticks: number[] = [];
  const clock = {
    now: () => now,
    onLeap(listener: () => void) {
      leap = listener;
      return () => {
        leap = () => {};
      };
    },
  };
  const pass = (milliseconds: number) => {
    for (let at = 0; at < milliseconds; at++) {
      now++;
      vi.advanceTimersByTime(1);
    }
  };
  const show = (state: string) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", page);
    page.visibilityState = "visible";
    [now, ticks] = [0, []];
  });
  afterEach(() => {
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  let stop = () => {};
  function watch() {
    stop = watchTime(1_000, 3_400, (at) => void ticks.push(at), clock);
  }

  test("ticks in step with the end, where it ticks for the last time", () => {
    watch();
    pass(10_000);
    expect(ticks).toEqual([0, 400, 1_400, 2_400, 3_400]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("doesn't tick while the page is hidden, but as soon as it is visible again", () => {
    watch();
    show("hidden");
    pass(1_999);
    expect(ticks).toEqual([0]);
    show("visible");
    pass(401);
    expect(ticks).toEqual([0, 1_999, 2_400]);
  });

  test("ticks when the clock is corrected, even if the end had seemed to be over", () => {
    now = 5_000;
    watch();
    pass(1_000);
    now = 2_000;
    leap();
    pass(2_000);
    expect(ticks).toEqual([5_000, 2_000, 2_400, 3_400]);
  });

  test("never ticks after it is stopped", () => {
    watch();
    stop();
    leap();
    show("visible");
    pass(5_000);
    expect(ticks).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
