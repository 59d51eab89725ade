import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limits } from "./account.ts";
import { type Profile, profileFields } from "./profile.ts";
import { profileProblem } from "./profile-check.ts";
import { checkSignUp, type SignUpForm, signUpProblem } from "./sign-up.ts";

const good: SignUpForm = {
  role: "agent",
  firstName: "Ada",
  lastName: "Obi",
  email: "ada@example.org",
  phone: "",
  agency: "North Star",
  country: "Nigeria",
  password: "abc123",
  confirmPassword: "abc123",
};
const policy = { minLength: 6, isCommon: (password: string) => password === "letmein" };

/** Mistakes in the order in which they are reported. */
const steps: [field: keyof SignUpForm, wrong: string, message: string, code: string][] = [
  ["firstName", "  ", "Please enter your first name.", "form/incomplete"],
  ["lastName", "", "Please enter your last name.", "form/incomplete"],
  ["email", " ", "Please enter your email address.", "form/incomplete"],
  ["password", "", "Please enter a password.", "form/incomplete"],
  ["password", "12345", "Password must be at least 6 characters long.", "auth/weak-password"],
  ["confirmPassword", "abc124", "Passwords do not match.", "form/incomplete"],
  ["role", "", "Please select your role (Student or Agent).", "form/incomplete"],
  ["agency", " ", "Please enter your agency name.", "form/incomplete"],
  ["country", "", "Please enter your country.", "form/incomplete"],
  ["email", "ada@example", "Please enter a valid email address.", "auth/invalid-email"],
];

describe("each step is reported before all that follow it", () => {
  test.each(steps.map((step, at) => [step[2], at] as const))("%s", (message, at) => {
    const later = steps.slice(at + 1).toReversed();
    const independent = later
      .filter(([field]) => isIndependent(field, at))
      .map(([field, wrong]) => [field, wrong]);
    const wrong: SignUpForm = { ...good, ...Object.fromEntries(independent) };
    const [field, value, , code] = steps[at] ?? ["role", "", "", ""];
    expect(signUpProblem({ ...wrong, [field]: value }, policy)).toEqual({ code, message, field });
  });

  /** An agent's fields are required only once the role is chosen, and an invalid password hides a mismatch. */
  function isIndependent(field: keyof SignUpForm, at: number): boolean {
    return (
      !(at >= 7 && field === "role") && !(at >= 3 && field === "password" && steps[at]?.[0] !== "password")
    );
  }
});

test.each(["admin", "Student", "agent ", "constructor"])("%s is not a role to sign up with", (role) => {
  expect(signUpProblem({ ...good, role }, policy)?.message).toBe(
    "Please select your role (Student or Agent).",
  );
});

test("the message shows a raised minimum length", () => {
  expect(signUpProblem(good, { minLength: 12 })?.message).toBe(
    "Password must be at least 12 characters long.",
  );
});

test("a common password is reported last, with the catalogue's message and the minimum length", () => {
  const form = { ...good, password: "letmein", confirmPassword: "letmein" };
  expect(signUpProblem(form, policy)).toEqual({
    code: "auth/weak-password",
    message: "Password is too weak. Please choose a stronger password with at least 6 characters.",
    field: "password",
  });
  expect(signUpProblem(form, { minLength: 6 })).toBeNull();
});

test.each(["firstName", "lastName", "agency", "country"] as const)(
  "%s has a maximum length, and can't be a web address or have invisible characters",
  (field) => {
    const limit = field === "firstName" || field === "lastName" ? limits.name : limits[field];
    expect(signUpProblem({ ...good, [field]: "x".repeat(limit) }, policy)).toBeNull();
    for (const wrong of ["x".repeat(limit + 1), "www.evil.example", "Ada\nObi"])
      expect(signUpProblem({ ...good, [field]: wrong }, policy)).toMatchObject({ field });
  },
);

test.each([
  ["firstName", "Please enter your first name."],
  ["lastName", "Please enter your last name."],
  ["agency", "Please enter your agency name."],
  ["country", "Please enter your country."],
] as const)("%s counts as missing if it is invisible", (field, message) => {
  expect(signUpProblem({ ...good, [field]: "\u202e\u2066" }, policy)).toMatchObject({ field, message });
});

test("a phone number is optional, and follows the profile's rule", () => {
  for (const phone of ["", "  ", " +234 80 1234 5678 "])
    expect(signUpProblem({ ...good, phone }, policy)).toBeNull();
  for (const phone of ["+234 1", "call me"])
    expect(signUpProblem({ ...good, phone }, policy)).toEqual({
      code: "form/incomplete",
      message: "Please enter a valid phone number.",
      field: "phone",
    });
  expect(signUpProblem({ ...good, phone: `1234567${" ".repeat(40)}8` }, policy)?.message).toBe(
    "Phone must be at most 40 characters long.",
  );
});

test("a password made of the form's other texts is refused", () => {
  for (const password of ["AdaObi1", "northstar", "ada@example.org", "wayfare"]) {
    const form = { ...good, agency: "Northstar", password, confirmPassword: password };
    expect(signUpProblem(form, policy), password).toMatchObject({ code: "auth/weak-password" });
  }
});

test("the profile accepts every phone number that sign-up accepts", () => {
  const about = { role: "student", today: "2026-11-22", stored: {} } as const;
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[+\d ().x-]{0,45}$/)), (phone) => {
      const account = checkSignUp({ ...good, phone }, policy);
      if ("code" in account) return;
      const [firstName, lastName, email] = ["Ada", "Obi", "ada@example.org"];
      const empty = Object.fromEntries(profileFields.map((field) => [field, ""])) as Profile;
      const form = { ...empty, firstName, lastName, email, phoneNumber: account.phone };
      expect(profileProblem(form, about)).toBeNull();
    }),
  );
});

test("every text except the password is trimmed, and a student gets no agency", () => {
  const form = {
    ...good,
    firstName: " Ada ",
    email: " Ada@Example.ORG ",
    password: " abc 12 ",
    confirmPassword: " abc 12 ",
  };
  expect(checkSignUp(form, policy)).toMatchObject({
    firstName: "Ada",
    email: "ada@example.org",
    password: " abc 12 ",
  });
  expect(checkSignUp({ ...form, role: "student" }, policy)).toMatchObject({ agency: "", country: "" });
});

test("the stored form is trimmed, bounded and has only the form's fields, for any text", () => {
  const forms = fc.record<SignUpForm>({
    role: fc.constantFrom("student", "agent"),
    firstName: fc.string(),
    lastName: fc.string(),
    email: fc.oneof(fc.emailAddress(), fc.string()),
    phone: fc.string(),
    agency: fc.string(),
    country: fc.string(),
    password: fc.constant("abc123"),
    confirmPassword: fc.constant("abc123"),
  });
  fc.assert(
    fc.property(forms, (form) => {
      const account = checkSignUp(Object.assign(form, { status: "approved" }), policy);
      if ("code" in account) return;
      expect(Object.keys(account)).not.toContain("status");
      for (const field of ["firstName", "lastName", "phone", "agency", "country"] as const) {
        expect(account[field]).toBe(account[field].trim());
        expect(account[field].length).toBeLessThanOrEqual(limits.agency);
      }
      expect(account.email).toBe(account.email.toLowerCase());
    }),
  );
});
