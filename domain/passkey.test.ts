import { expect, test } from "vitest";
import { mayCount, passkeyNameProblem } from "./passkey.ts";

test.each([
  ["Phone", null],
  ["  my laptop  ", null],
  ["例え", null],
  ["", "Please enter a name."],
  [" \u200b ", "Please enter a name."],
  ["x".repeat(60), null],
  ["x".repeat(61), "A name has at most 60 characters."],
  ["two\nlines", "The name contains characters that can't be used. Please type it again."],
])("the name %j: %j", (name, message) => {
  expect(passkeyNameProblem(name)?.message ?? null).toBe(message);
});

test.each([
  [0, 0, true],
  [0, 1, true],
  [4, 5, true],
  [4, 90, true],
  [4, 4, false],
  [4, 3, false],
  [4, 0, false],
])("from %d to %d: %s", (from, to, may) => expect(mayCount(from, to)).toBe(may));
