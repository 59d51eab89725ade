import { expect, test } from "vitest";
import { OncePerMinute } from "./once-per-minute.ts";

test("each cause is due once a minute, independently of the others", () => {
  const once = new OncePerMinute();
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  const cut = new Error("Connection terminated unexpectedly");
  expect([0, 10, 59_999].map((now) => once.isDue(refused, now))).toEqual([true, false, false]);
  expect([1, 20].map((now) => once.isDue(cut, now))).toEqual([true, false]);
  expect(
    [60_000, 60_001].map((now) => once.isDue({ code: "ECONNREFUSED", message: "another" }, now)),
  ).toEqual([true, false]);
});
