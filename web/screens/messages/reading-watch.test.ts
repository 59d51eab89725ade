import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ReadingWatch } from "./reading-watch.ts";

/** Stands in for the browser's observer, driven by hand. */
class FakeObserver {
  static change: (entries: { target: object; isIntersecting: boolean }[]) => void = () => {};
  constructor(change: typeof FakeObserver.change) {
    FakeObserver.change = change;
  }
  observe() {}
  unobserve() {}
  disconnect() {}
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const show = (state: "visible" | "hidden") => {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
};
const scroll = (line: Element, isIntersecting: boolean) =>
  FakeObserver.change([{ target: line, isIntersecting }]);

let read: number[];
let watch: ReadingWatch;
let lines: Element[];
const line = (number: number) => lines[number] ?? new Element();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  vi.stubGlobal(
    "Element",
    class {
      readonly localName = "time";
    },
  );
  vi.stubGlobal("IntersectionObserver", FakeObserver);
  page.visibilityState = "visible";
  read = [];
  watch = new ReadingWatch(1, async (number) => void read.push(number));
  lines = Array.from({ length: 6 }, () => new Element());
  for (const [number, each] of lines.entries()) watch.watch(each, number);
  watch.start();
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("counts a message as read after a second in view", () => {
  scroll(line(2), true);
  vi.advanceTimersByTime(999);
  expect(read).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(read).toEqual([2]);
});

test("starts over with a message that leaves the view before the second is over", () => {
  scroll(line(2), true);
  vi.advanceTimersByTime(900);
  scroll(line(2), false);
  vi.advanceTimersByTime(5_000);
  scroll(line(2), true);
  vi.advanceTimersByTime(900);
  expect(read).toEqual([]);
});

test("counts nothing as read in a hidden tab", () => {
  show("hidden");
  scroll(line(2), true);
  vi.advanceTimersByTime(60_000);
  show("visible");
  vi.advanceTimersByTime(999);
  expect(read).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(read).toEqual([2]);
});

test("counts nothing as read if the tab is hidden within the second", () => {
  scroll(line(2), true);
  vi.advanceTimersByTime(999);
  show("hidden");
  vi.advanceTimersByTime(60_000);
  expect(read).toEqual([]);
});

test("reports only messages after those already read, and never a lower one after a higher one", async () => {
  scroll(line(1), true);
  scroll(line(4), true);
  scroll(line(3), true);
  await vi.advanceTimersByTimeAsync(2_000);
  scroll(line(5), true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(read).toEqual([4, 5]);
});

test("reports messages that become due during a report together after it", async () => {
  watch.stop();
  watch = new ReadingWatch(1, async (number) => {
    read.push(number);
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  for (const [number, each] of lines.entries()) watch.watch(each, number);
  watch.start();
  for (const number of [2, 3, 4, 5]) scroll(line(number), true);
  await vi.advanceTimersByTimeAsync(1_200);
  expect(read).toEqual([2, 5]);
});

test("reports a thread that stays open every two minutes, but not from a hidden tab", async () => {
  await vi.advanceTimersByTimeAsync(120_000);
  expect(read).toEqual([1]);
  show("hidden");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(read).toEqual([1]);
  show("visible");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(read).toEqual([1, 1]);
});

test("reports nothing about a removed message, or after it is stopped", () => {
  const remove = watch.watch(line(2), 2);
  scroll(line(2), true);
  remove();
  scroll(line(3), true);
  watch.stop();
  vi.advanceTimersByTime(5_000);
  expect(read).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
