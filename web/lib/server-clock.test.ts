import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createServerClock } from "./server-clock.ts";

/** Milliseconds by which the device's date is wrong; the server's is right. */
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

  /** Asks the server, with these milliseconds for the way there and back. */
  function ask(there: number, back: number) {
    const sentAt = local;
    local += there;
    const at = Math.floor(truth());
    local += back;
    clock.answered(at, sentAt, local);
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

  test("goes on from when the page was made, until something was answered", () => {
    const page = truth() - 900;
    clock.pageAnswered(page, local - 300, local - 100);
    expect(error()).toBeLessThanOrEqual(900);
    ask(3, 5);
    clock.pageAnswered(page, 0, 0);
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
