import { expect, test } from "vitest";
import { until } from "#tests/wayfare.ts";
import { createRounds } from "./rounds.ts";

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("everyone there is looked after again and again by one timer, which goes with the last of them", async () => {
  const looks = new Map<string, number>();
  const before = timers();
  const rounds = createRounds<string>((name) => void looks.set(name, (looks.get(name) ?? 0) + 1), 5);
  expect(timers()).toBe(before);
  rounds.enter("ada");
  rounds.enter("ben");
  expect(timers()).toBe(before + 1);
  await until(() => [...looks.values()].every((times) => times > 2) && looks.size === 2);
  rounds.leave("ada");
  const adas = looks.get("ada");
  const bens = looks.get("ben") ?? 0;
  await until(() => (looks.get("ben") ?? 0) > bens + 2);
  expect(looks.get("ada")).toBe(adas);
  rounds.leave("ben");
  expect(timers()).toBe(before);
  rounds.leave("ben");
});
