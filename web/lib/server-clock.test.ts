import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createServerClock } from "./server-clock.ts";

/** Milliseconds by which the device's date is wrong; the server's is correct. */
const deviceError = 3_600_000;
const start = 1_800_000_000_000;

describe("the server's clock", () => {
  let local = 0;
  let clock: ReturnType<typeof createServerClock>;
  const truth = () => start + local;
  beforeEach(() => {
    local = 1_000;
    clock = createServerClock(
      () => local,
      () => truth() + deviceError,
    );
  });

  /** Makes a request that takes these milliseconds there and back. */
  function request(there: number, back: number) {
    const sentAt = local;
    local += there;
    const at = Math.floor(truth());
    local += back;
    clock.answered(at, sentAt, local);
  }
  const error = () => Math.abs(clock.now() - truth());

  test("is the browser's clock until the first answer, and never afterwards", () => {
    expect(error()).toBe(deviceError);
    request(40, 60);
    expect(error()).toBeLessThanOrEqual(51);
  });

  test("keeps the precision of the quickest answer, whatever follows", () => {
    request(400, 10);
    request(3, 5);
    expect(error()).toBeLessThanOrEqual(5);
    request(5, 2_000);
    request(1_500, 1_000);
    expect(error()).toBeLessThanOrEqual(5);
  });

  test("starts from the time at which the page was rendered, until the first answer", () => {
    const page = truth() - 900;
    clock.pageAnswered(page, local - 300, local - 100);
    expect(error()).toBeLessThanOrEqual(900);
    request(3, 5);
    clock.pageAnswered(page, 0, 0);
    expect(error()).toBeLessThanOrEqual(5);
  });

  test("is moved forward by an event alone", () => {
    const slow = createServerClock(
      () => local,
      () => truth() - deviceError,
    );
    slow.notEarlierThan(truth() - 20);
    expect(truth() - slow.now()).toBeLessThanOrEqual(21);
  });

  test("is corrected by the first answer after the device slept", () => {
    request(3, 5);
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
        for (const [there, back] of trips) request(there, back);
        const quickest = Math.min(...trips.map(([there, back]) => there + back));
        expect(error()).toBeLessThanOrEqual(quickest / 2 + 2);
      }),
    );
  });
});
