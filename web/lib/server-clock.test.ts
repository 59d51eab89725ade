import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createServerClock, watchTime } from "./server-clock.ts";

/** A device whose date is wrong by an hour, and a server that is right. */
const wrong = 3_600_000;
const start = 1_800_000_000_000;

describe("the server's clock", () => {
  let local = 0;
  let clock: ReturnType<typeof createServerClock>;
  const truth = () => start + local;
  beforeEach(() => {
    local = 1_000;
    clock = createServerClock(
      () => local,
      () => truth() + wrong,
    );
  });

  /** Asks the server, with so many milliseconds on the way there and back. */
  function ask(there: number, back: number) {
    const asked = local;
    local += there;
    const at = Math.floor(truth());
    local += back;
    clock.answered(at, asked, local);
  }
  const error = () => Math.abs(clock.now() - truth());

  test("is the browser's own until the first answer, and never again", () => {
    expect(error()).toBe(wrong);
    ask(40, 60);
    expect(error()).toBeLessThanOrEqual(51);
  });

  test("is known as well as by the quickest answer, whatever comes after", () => {
    ask(400, 10);
    ask(3, 5);
    expect(error()).toBeLessThanOrEqual(5);
    ask(5, 2_000);
    ask(1_500, 1_000);
    expect(error()).toBeLessThanOrEqual(5);
  });

  test("an event alone shows that it is not earlier", () => {
    const slow = createServerClock(
      () => local,
      () => truth() - wrong,
    );
    slow.notEarlierThan(truth() - 20);
    expect(truth() - slow.now()).toBeLessThanOrEqual(21);
  });

  test("a slept device is set right by the next answer", () => {
    ask(3, 5);
    const asleep = 600_000;
    const at = truth() + asleep + 10;
    clock.answered(at, local, local + 20);
    expect(Math.abs(clock.now() - (truth() + asleep))).toBeLessThanOrEqual(12);
  });

  test("is never further off than half the quickest round trip", () => {
    const trip = fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 5_000 }));
    fc.assert(
      fc.property(fc.array(trip, { minLength: 1, maxLength: 20 }), (trips) => {
        clock = createServerClock(
          () => local,
          () => 0,
        );
        for (const [there, back] of trips) ask(there, back);
        const quickest = Math.min(...trips.map(([there, back]) => there + back));
        expect(error()).toBeLessThanOrEqual(quickest / 2 + 2);
      }),
    );
  });
});

describe("time that is watched", () => {
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

  test("is reported in step with the end, there for the last time", () => {
    watch();
    pass(10_000);
    expect(ticks).toEqual([0, 400, 1_400, 2_400, 3_400]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is not reported while hidden, but as soon as seen again", () => {
    watch();
    show("hidden");
    pass(1_999);
    expect(ticks).toEqual([0]);
    show("visible");
    pass(401);
    expect(ticks).toEqual([0, 1_999, 2_400]);
  });

  test("is reported when the clock was corrected, also after it had seemed over", () => {
    now = 5_000;
    watch();
    pass(1_000);
    now = 2_000;
    leap();
    pass(2_000);
    expect(ticks).toEqual([5_000, 2_000, 2_400, 3_400]);
  });

  test("is over for whoever stops", () => {
    watch();
    stop();
    leap();
    show("visible");
    pass(5_000);
    expect(ticks).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
