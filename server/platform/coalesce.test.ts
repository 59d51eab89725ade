import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coalesce } from "./coalesce.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the first goes out at once, all that follow within the pause as one, and nothing is left over", () => {
  const done: string[] = [];
  const ask = coalesce<string>(2000, (key, value) => done.push(`${key} ${value}`));
  ask("a", "1");
  expect(done).toEqual(["a 1"]);
  ask("a", "2");
  ask("a", "3");
  ask("b", "1");
  expect(done).toEqual(["a 1", "b 1"]);
  vi.advanceTimersByTime(1999);
  expect(done).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(["a 1", "b 1", "a 3"]);
  // The late one begins a pause of its own.
  ask("a", "4");
  expect(done).toHaveLength(3);
  vi.advanceTimersByTime(2000);
  expect(done).toEqual(["a 1", "b 1", "a 3", "a 4"]);
  vi.advanceTimersByTime(10_000);
  expect(done).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});
