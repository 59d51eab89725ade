import { expect, test } from "vitest";
import { readEnvironment } from "#server/platform/environment.ts";
import { objection } from "./objection.ts";

test("a fresh clone accepts the demo", () => {
  expect(objection(readEnvironment({}))).toBeNull();
});

test.each([
  ["BASE_URL", "https://wayfare.example"],
  ["SMTP_URL", "smtp://localhost"],
  ["ADMIN_EMAILS", "someone@consultancy.org"],
  ["ADMIN_SECOND_FACTOR", "required"],
])("the demo is not filled in with %s=%s", (variable, value) => {
  expect(objection(readEnvironment({ [variable]: value }))).toContain(variable);
});
