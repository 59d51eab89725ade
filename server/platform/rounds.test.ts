import { afterEach, expect, test, vi } from "vitest";
import { until } from "#tests/wayfare.ts";
import { createRounds } from "./rounds.ts";

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

test("everyone there is looked after again and again by one timer, which goes with the last of them", async () => {
  const looks = new Map<string, number>();
  const timers = watchTimers();
  const rounds = createRounds<string>((name) => void looks.set(name, (looks.get(name) ?? 0) + 1), pause);
  expect(timers()).toBe(0);
  rounds.enter("ada");
  rounds.enter("ben");
  expect(timers()).toBe(1);
  await until(() => [...looks.values()].every((times) => times > 2) && looks.size === 2);
  rounds.leave("ada");
  const adas = looks.get("ada");
  const bens = looks.get("ben") ?? 0;
  await until(() => (looks.get("ben") ?? 0) > bens + 2);
  expect(looks.get("ada")).toBe(adas);
  rounds.leave("ben");
  expect(timers()).toBe(0);
  rounds.leave("ben");
});
