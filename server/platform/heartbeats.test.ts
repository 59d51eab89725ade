import { afterEach, expect, test, vi } from "vitest";
import { until } from "#tests/wayfare.ts";
import { createHeartbeats } from "./heartbeats.ts";

afterEach(() => void vi.restoreAllMocks());

/** A pause in milliseconds that nobody else's timer has. */
const pause = 4.75;

/** The timers of that pause that run. */
function watchTimers() {
  const begun = vi.spyOn(globalThis, "setInterval");
  const ended = vi.spyOn(globalThis, "clearInterval");
  return () => {
    const ours = begun.mock.results.filter((_, at) => begun.mock.calls[at]?.[1] === pause);
    const over = new Set<unknown>(ended.mock.calls.map(([timer]) => timer));
    return ours.filter(({ value }) => !over.has(value)).length;
  };
}

test("every member beats again and again by one timer, which goes with the last of them", async () => {
  const beats = new Map<string, number>();
  const timers = watchTimers();
  const heartbeats = createHeartbeats<string>(
    (name) => void beats.set(name, (beats.get(name) ?? 0) + 1),
    pause,
  );
  expect(timers()).toBe(0);
  heartbeats.add("ada");
  heartbeats.add("ben");
  expect(timers()).toBe(1);
  await until(() => [...beats.values()].every((times) => times > 2) && beats.size === 2);
  heartbeats.remove("ada");
  const adas = beats.get("ada");
  const bens = beats.get("ben") ?? 0;
  await until(() => (beats.get("ben") ?? 0) > bens + 2);
  expect(beats.get("ada")).toBe(adas);
  heartbeats.remove("ben");
  expect(timers()).toBe(0);
  heartbeats.remove("ben");
});
