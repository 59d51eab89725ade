import { expect, test } from "vitest";
import { lacksSecondFactor } from "./second-factor.ts";

test.each([
  ["admin", false, [], false],
  ["admin", false, ["admin"], true],
  ["admin", true, ["admin"], false],
  ["admin", false, ["agent"], false],
  ["agent", false, ["admin", "agent"], true],
  ["agent", true, ["admin", "agent"], false],
  ["student", false, ["admin", "agent"], false],
] as const)("%s with one: %s, required of %j: %s", (role, hasSecondFactor, required, lacks) => {
  expect(lacksSecondFactor({ role, hasSecondFactor }, required)).toBe(lacks);
});
