import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countries } from "./country.ts";
import { type Profile, type ProfileField, profileFields, profileLabel, profileLimits } from "./profile.ts";
import { checkProfile, profileHint, profileProblem } from "./profile-check.ts";

const full: Profile = {
  firstName: "Ada",
  lastName: "Obi",
  middleName: "Ngozi",
  dateOfBirth: "2004-02-29",
  idNumber: "19840229-123",
  citizenship: "NG",
  passportNumber: "A1234567",
  passportExpiry: "2031-05-01",
  gender: "female",
  email: "ada@example.org",
  phoneNumber: "+234 (0)80 1234-5678",
  addressLine1: "1 Palm Street",
  addressLine2: "",
  city: "Lagos",
  state: "Lagos",
  postalCode: "100001",
  country: "NG",
};
const asProfile = (entries: [ProfileField, string][]) => Object.fromEntries(entries) as Profile;
const none = asProfile(profileFields.map((field) => [field, ""]));
const student = { role: "student", today: "2026-11-21", stored: {} } as const;
const agent = { ...student, role: "agent" } as const;
const messageOf = (changes: Partial<Profile>, about: Parameters<typeof checkProfile>[1] = student) => {
  const problem = profileProblem({ ...full, ...changes }, about);
  return problem && `${problem.field}: ${problem.message}`;
};

test("full and minimal profiles are stored as they are", () => {
  expect(checkProfile(full, student)).toEqual(full);
  const least = { ...none, firstName: "Ada", lastName: "Obi", email: "ada@example.org" };
  expect(checkProfile(least, student)).toEqual(least);
  expect(checkProfile(least, agent)).toEqual(least);
});

test("missing fields are reported first, in the form's order", () => {
  expect(profileProblem({ ...none, phoneNumber: "x" }, student)?.message).toBe(
    "Please enter your first name.",
  );
  expect(messageOf({ lastName: " ", email: "", city: "x".repeat(999) })).toBe(
    "lastName: Please enter your last name.",
  );
  expect(messageOf({ email: "  ", phoneNumber: "x" })).toBe("email: Please enter your email address.");
  // An agent's address is not marked as required, but can't be emptied either.
  expect(messageOf({ email: "" }, agent)).toBe("email: Please enter your email address.");
});

test("the address must look like one, for agents too", () => {
  for (const about of [student, agent])
    expect(profileProblem({ ...full, email: "ada@example" }, about)).toEqual({
      code: "auth/invalid-email",
      message: "Please enter a valid email address.",
      field: "email",
    });
});

describe("dates are real days", () => {
  test.each([
    "2023-02-29",
    "2004-13-01",
    "2004-00-10",
    "04-02-29",
    "2004-2-9",
    "yesterday",
    "2004-02-29T00:00",
  ])("%s is not a day", (day) => {
    expect(messageOf({ dateOfBirth: day })).toContain("Please enter your date of birth as a date.");
    expect(messageOf({ passportExpiry: day })).toContain("Please enter your passport expiry as a date.");
  });

  test("a date of birth is in the past and not before 1900", () => {
    expect(messageOf({ dateOfBirth: "1899-12-31" })).toContain("after 1900");
    expect(messageOf({ dateOfBirth: "1900-01-01" })).toBeNull();
    expect(messageOf({ dateOfBirth: "2026-11-20" })).toBeNull();
    expect(messageOf({ dateOfBirth: "2026-11-21" })).toContain("in the past");
  });

  test("a passport's expiry is at most 20 years away; an expired one is reported as expired", () => {
    expect(messageOf({ passportExpiry: "2006-11-20" })).toBe(
      "passportExpiry: Please check the passport expiry date.",
    );
    for (const day of ["2006-11-21", "2026-01-01", "2046-11-21"])
      expect(messageOf({ passportExpiry: day })).toBeNull();
    expect(messageOf({ passportExpiry: "2046-11-22" })).not.toBeNull();
  });
});

test.each([
  "+44 20 7946 0000",
  "080 1234 5678",
  "(020) 79460000",
  "12345",
  "020.7946.0000 ext. 12",
  "020/7946 x7",
])("%s is a phone number", (phoneNumber) => expect(messageOf({ phoneNumber })).toBeNull());
test.each(["1234", "call me", "++44 20 7946", "<script>12345</script>", "12345678901234567890123456"])(
  "%s is not a phone number",
  (phoneNumber) => expect(messageOf({ phoneNumber })).toBe("phoneNumber: Please enter a valid phone number."),
);

test("gender, citizenship and country come from their lists", () => {
  expect(messageOf({ gender: "Female" })).toBe("gender: Please choose your gender from the list.");
  expect(messageOf({ citizenship: "Nigerian" })).toContain("Please choose your citizenship from the list.");
  expect(messageOf({ country: "UK" })).toContain("Please choose your country from the list.");
  for (const country of countries) expect(messageOf({ country, citizenship: country })).toBeNull();
});

test("a country typed at sign-up stays until another is chosen", () => {
  expect(messageOf({ country: "UK" }, { ...agent, stored: { country: "UK" } })).toBeNull();
  expect(messageOf({ country: "Britain" }, { ...agent, stored: { country: "UK" } })).not.toBeNull();
});

test("a stored value stays valid until it is changed", () => {
  const profile = { phoneNumber: "+234 1", lastName: "Obi https://x.example", city: "" };
  expect(messageOf(profile, { ...student, stored: profile })).toBeNull();
  expect(messageOf({ ...profile, phoneNumber: "+234 2" }, { ...student, stored: profile })).toBe(
    "phoneNumber: Please enter a valid phone number.",
  );
});

test("names, cities and states can't be web addresses, and no field can have invisible characters", () => {
  for (const field of ["firstName", "lastName", "middleName", "city", "state"] as const)
    expect(messageOf({ [field]: "evil.example" })).toBe(
      `${field}: ${profileLabel[field]} looks like a web address. If it isn't one, please put a space after each full stop.`,
    );
  for (const field of textFields)
    expect(messageOf({ [field]: "A\nB" })).toBe(
      `${field}: ${profileLabel[field]} contains characters that can't be used. Please type it again.`,
    );
});

test("invisible characters count as an empty field", () => {
  expect(messageOf({ firstName: "\u202e\u2066" })).toBe("firstName: Please enter your first name.");
  expect(checkProfile({ ...full, middleName: "\u200b " }, student)).toEqual({ ...full, middleName: "" });
});

const textFields: ProfileField[] = [
  "firstName",
  "middleName",
  "idNumber",
  "passportNumber",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "postalCode",
];
test.each(textFields)("%s may be as long as its limit, not longer", (field) => {
  const limit = profileLimits[field];
  expect(messageOf({ [field]: ` ${"x".repeat(limit)} ` })).toBeNull();
  expect(messageOf({ [field]: "x".repeat(limit + 1) })).toBe(
    `${field}: ${profileLabel[field]} must be at most ${limit} characters long.`,
  );
});

test("lists the 249 countries of ISO 3166, each once and within the limit", () => {
  expect(new Set(countries).size).toBe(249);
  expect(countries.every((country) => country.length <= profileLimits.country)).toBe(true);
});

test("an accepted value is trimmed, within its limits, and accepted again unchanged", () => {
  const textOf = (field: ProfileField) =>
    fc.oneof(
      { weight: 30, arbitrary: fc.constant(` ${full[field]} `) },
      { weight: 1, arbitrary: fc.string({ maxLength: 130, unit: "binary" }) },
    );
  const forms = fc
    .tuple(...profileFields.map(textOf))
    .map((texts) => asProfile(profileFields.map((field, index) => [field, texts[index] ?? ""])));
  let accepted = 0;
  fc.assert(
    fc.property(forms, (form) => {
      const profile = checkProfile(form, student);
      if ("code" in profile) return;
      accepted++;
      for (const field of profileFields) {
        expect(profile[field]).toBe(profile[field].trim());
        expect(profile[field].length).toBeLessThanOrEqual(profileLimits[field]);
      }
      expect(checkProfile(profile, student)).toEqual(profile);
    }),
    { numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(50);
});

test("an unlikely value gets a hint, and is stored", () => {
  const hint = (field: ProfileField, text: string) => profileHint(field, text, "2026-11-21");
  expect(hint("dateOfBirth", "2024-05-01")).toContain("Please check the year");
  expect(messageOf({ dateOfBirth: "2024-05-01" })).toBeNull();
  expect(hint("dateOfBirth", "2012-11-21")).toBeNull();
  expect(hint("dateOfBirth", "2012-11-22")).toContain("younger than 14");
  expect(hint("passportExpiry", "2026-11-20")).toContain("has expired");
  expect(messageOf({ passportExpiry: "2026-11-20" })).toBeNull();
  expect(hint("passportExpiry", "2026-11-21")).toBeNull();
  // Refused dates, half-typed dates and other fields get no hint.
  expect(hint("dateOfBirth", "2027-01-01")).toBeNull();
  expect(hint("passportExpiry", "2020-02-30")).toBeNull();
  expect(hint("city", "2020-02-02")).toBeNull();
});
