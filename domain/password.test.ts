import { describe, expect, test } from "vitest";
import { newPasswordProblem, passwordChangeProblem } from "./password.ts";

const ownWords = ["ada.obi@example.org", "Ada", "Obi", "North Star"];
const problemOf = (password: string) =>
  newPasswordProblem({ password, confirmPassword: password }, { minLength: 6, ownWords });

describe("an easily guessed password is refused", () => {
  test.each([
    "wayfare",
    "Wayfare1",
    "WAYFARE2026!",
    "wayfarewayfare",
    "aaaaaa",
    "      ",
    "\t \u00a0\t \t",
    "ababab",
    "ada.obi",
    "ada.obi@example.org",
    "AdaObi",
    "Ada Obi 1",
    "obi2026",
    "north star",
  ])("%j", (password) => {
    expect(problemOf(password)).toEqual({
      code: "auth/weak-password",
      message: "Password is too weak. Please choose a stronger password with at least 6 characters.",
      field: "password",
    });
  });
});

test.each([
  ["O'Brien", "obrien12"],
  ["O’Brien", "O'Brien12"],
  ["Jean-Paul", "jeanpaul7"],
  ["Siobhán", "siobhan1"],
  ["Siobhan", "siobhán1"],
])("%s may not choose %s, their own name", (name, password) => {
  const policy = { minLength: 6, ownWords: [name] };
  expect(newPasswordProblem({ password, confirmPassword: password }, policy)?.code).toBe(
    "auth/weak-password",
  );
});

test.each(["abc123", "wayfaring stranger", "Adalbert 7", "ada 19482-1938-22", "a wayfare's end"])(
  "%s is accepted",
  (password) => expect(problemOf(password)).toBeNull(),
);

test("length and repetition are reported first", () => {
  expect(problemOf("aaaaa")?.message).toBe("Password must be at least 6 characters long.");
  expect(newPasswordProblem({ password: "aaaaaa", confirmPassword: "b" }, { minLength: 6 })?.message).toBe(
    "Passwords do not match.",
  );
});

test.each([
  [{}, null],
  [{ currentPassword: "" }, "Please enter your current password."],
  [{ currentPassword: "", password: "" }, "Please enter your current password."],
  [{ password: "", confirmPassword: "" }, "Please enter a password."],
  [{ confirmPassword: "another" }, "Passwords do not match."],
  [
    { password: "the former one", confirmPassword: "the former one" },
    "Your new password must differ from your current one.",
  ],
])("a change with %j: %j", (changes, message) => {
  const form = {
    currentPassword: "the former one",
    password: "a better one",
    confirmPassword: "a better one",
    ...changes,
  };
  expect(passwordChangeProblem(form, { minLength: 6 })?.message ?? null).toBe(message);
});
