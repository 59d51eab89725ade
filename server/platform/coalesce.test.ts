import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { coalesce } from "./coalesce.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("runs the first call immediately, merges those within the pause, and leaves no timer behind", () => {
  const done: string[] = [];
  const run = coalesce<string>(2000, (key, value) => done.push(`${key} ${value}`));
  run("a", "1");
  expect(done).toEqual(["a 1"]);
  run("a", "2");
  run("a", "3");
  run("b", "1");
  expect(done).toEqual(["a 1", "b 1"]);
  vi.advanceTimersByTime(1999);
  expect(done).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(["a 1", "b 1", "a 3"]);
  // The merged call begins a pause too.
  run("a", "4");
  expect(done).toHaveLength(3);
  vi.advanceTimersByTime(2000);
  expect(done).toEqual(["a 1", "b 1", "a 3", "a 4"]);
  vi.advanceTimersByTime(10_000);
  expect(done).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
});
