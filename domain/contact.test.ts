import { expect, test } from "vitest";
import { contactLimits, contactProblem } from "./contact.ts";

const message = { name: "Ada Obi", email: "ada@example.org", message: "When does the intake open?" };
const long = (length: number) => "x".repeat(length);

test("accepts a complete message, up to its limits", () => {
  expect(contactProblem(message)).toBeNull();
  const longest = { ...message, name: long(contactLimits.name), message: long(contactLimits.message) };
  expect(contactProblem(longest)).toBeNull();
});

test.each([
  [{ name: " " }, "name", "form/incomplete", "Please enter your name."],
  [{ name: long(contactLimits.name + 1) }, "name", "form/incomplete", "at most 120 characters"],
  [{ email: "" }, "email", "form/incomplete", "Please enter your email address."],
  [{ email: "ada@" }, "email", "form/incomplete", "Please enter a valid email address."],
  [{ email: "a@b.co\r\nBcc: c@d.co" }, "email", "form/incomplete", "valid email"],
  [{ message: "\n" }, "message", "form/incomplete", "Please enter your message."],
  [{ message: long(contactLimits.message + 1) }, "message", "form/incomplete", "at most 4000 characters"],
])("refuses %j for its %s", (change, field, code, text) => {
  const problem = contactProblem({ ...message, ...change });
  expect(problem).toMatchObject({ field, code });
  expect(problem?.message).toContain(text);
});
