import { expect, test } from "vitest";
import { homePath } from "./addresses.ts";

test.each([
  ["student", "active", "/student-dashboard"],
  ["agent", "pending", "/agent-pending"],
  ["agent", "approved", "/agent-dashboard"],
  ["admin", "active", "/admin-dashboard"],
] as const)("the home of the role %s with the status %s is %s", (role, status, path) => {
  expect(homePath({ role, status })).toBe(path);
});
