import { expect, test } from "vitest";
import { isRecentLogin } from "./recent-login.ts";

test.each([
  ["2026-11-22T12:00:00.000Z", true],
  ["2026-11-22T12:14:59.999Z", true],
  ["2026-11-22T12:15:00.000Z", false],
  ["2026-11-23T12:00:00.000Z", false],
  // The database's clock may be ahead of ours.
  ["2026-11-22T11:59:59.000Z", true],
])("a login at noon is recent at %s: %s", (now, recent) => {
  expect(isRecentLogin(new Date("2026-11-22T12:00:00.000Z"), new Date(now))).toBe(recent);
});
