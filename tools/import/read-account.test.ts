import { describe, expect, test } from "vitest";
import { countryCode, readAccount } from "./read-account.ts";
import type { Fields, OldAccount } from "./read-export.ts";
import { Row } from "./row.ts";

const now = new Date("2026-11-22T12:00:00Z");
const student = {
  email: "ada@example.org",
  role: "student",
  status: "active",
  firstName: "Ada",
  lastName: "Obi",
  phone: "+234 80 1234 5678",
  createdAt: "2025-03-01T08:00:00Z",
};
const agent = {
  ...student,
  role: "agent",
  status: "approved",
  agency: "North Star",
  country: "Nigeria",
  approvedAt: "2025-03-02T08:00:00Z",
  approvedBy: "boss@example.org",
};
const login: OldAccount = { localId: "u1", emailVerified: true, disabled: false, createdAt: undefined };

function read(fields: Fields, profile: Fields | null = null, old: OldAccount | null = null) {
  const row = new Row("users", { id: "u1", fields });
  const profileRow = profile && new Row("studentProfiles", { id: "ada@example.org", fields: profile });
  const about = { now, adminEmails: ["boss@example.org"] };
  return {
    ...readAccount("u1", row, profileRow, old, about),
    mended: [row.mended, profileRow?.mended ?? []],
  };
}

test("a valid student is read unchanged, without repairs", () => {
  expect(read(student)).toMatchObject({
    account: {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: "Ada Obi",
      email: "ada@example.org",
      emailVerified: false,
      role: "student",
      status: "active",
      phone: "+234 80 1234 5678",
      agency: "",
      createdAt: new Date("2025-03-01T08:00:00Z"),
    },
    profile: null,
    mended: [[], []],
  });
});

test("a user gets the same id each time, and another user a different one", () => {
  expect(read(student).account.id).toBe(read({ ...student, lastName: "Bello" }).account.id);
  const other = new Row("users", { id: "u2", fields: student });
  expect(readAccount("u2", other, null, null, { now, adminEmails: [] }).account.id).not.toBe(
    read(student).account.id,
  );
});

test("the profile's values count, and those that the form would refuse are left empty", () => {
  const profile = {
    firstName: " Adaeze ",
    lastName: "",
    phoneNumber: "tel:+234\u200b801234567",
    country: "uk",
    citizenship: "nigeria",
    gender: "Female",
    dateOfBirth: "2004-02-30",
    passportExpiry: "2031-05-17",
    city: "www.example.org",
    postalCode: 101283,
    email: "other@example.org",
    assignedAgent: "u9",
  };
  const { account, profile: profileRow, agent: assigned, mended } = read(student, profile);
  expect(account).toMatchObject({ name: "Adaeze Obi", phone: "+234801234567", country: "GB" });
  expect(profileRow).toMatchObject({
    citizenship: "NG",
    gender: "female",
    dateOfBirth: null,
    passportExpiry: "2031-05-17",
    city: "",
    postalCode: "101283",
  });
  expect(assigned).toBe("u9");
  expect(mended).toEqual([
    [],
    [
      "firstName trimmed",
      "citizenship written as Wayfare does",
      "gender written as Wayfare does",
      "phone written as Wayfare does",
      "country written as Wayfare does",
      "dateOfBirth left empty: Please enter your date of birth as a date.",
      "city left empty: City looks like a web address. If it isn't one, please put a space after each full stop.",
      "email is the account's",
    ],
  ]);
});

test.each<[what: string, fields: Fields, status: string, mended: string[]]>([
  ["pending", { ...agent, status: "pending" }, "pending", []],
  ["approved", agent, "approved", []],
  ["active", { ...agent, status: "active" }, "approved", []],
  ["revoked", { ...agent, status: "revoked", revokedAt: 1_750_000_000_000 }, "revoked", []],
  ["nothing", { ...agent, status: undefined }, "pending", ["status was missing: pending"]],
  [
    "approved by nobody",
    { ...agent, approvedAt: null },
    "pending",
    ["status is pending: nothing says when it was approved"],
  ],
])("an agent who is %s", (_, fields, status, mended) => {
  const { account, mended: noted } = read(fields);
  expect(account.status).toBe(status);
  expect(new Set(noted[0])).toEqual(new Set(["country written as Wayfare does", ...mended]));
});

describe("the identity service's record", () => {
  test("gives address, verification, disabling and creation time", () => {
    const old = { ...login, email: "Real@example.org", disabled: true, createdAt: 1_700_000_000_000 };
    const { account, mended } = read({ ...student, emailVerified: false, createdAt: null }, null, old);
    expect(account).toMatchObject({
      email: "real@example.org",
      emailVerified: true,
      status: "disabled",
      disabledAt: now,
      createdAt: new Date(1_700_000_000_000),
    });
    expect(mended[0]).toEqual(["email is that of the log-in", "createdAt is that of the log-in"]);
  });

  test("outweighs the user's own claims", () => {
    expect(read({ ...student, emailVerified: true }).account.emailVerified).toBe(false);
  });
});

test.each<[what: string, fields: Fields, reason: RegExp]>([
  ["an admin", { ...student, role: "admin" }, /ADMIN_EMAILS/],
  ["an admin's address", { ...student, email: " BOSS@example.org" }, /ADMIN_EMAILS/],
  ["no role", { ...student, role: null }, /role is neither/],
  ["an unknown role", { ...student, role: "constructor" }, /role is neither/],
  ["no address", { ...student, email: "ada" }, /email is no address/],
  ["no name", { ...student, firstName: " " }, /^firstName: Please enter your first name/],
  ["a name that is none", { ...student, lastName: "www.example.org" }, /^lastName: .*web address/],
  ["a denied agent", { ...agent, status: "denied" }, /denied/],
  ["an unknown status", { ...agent, status: "constructor" }, /status is none/],
  ["a student who waits", { ...student, status: "pending" }, /status is none/],
])("refuses %s", (_, fields, reason) => {
  expect(() => read(fields)).toThrow(reason);
});

test.each([
  ["Nigeria", "NG"],
  ["cote d'ivoire", "CI"],
  ["ng", "NG"],
  ["UK", "GB"],
  ["United States of America", "US"],
  ["constructor", "constructor"],
  ["Lagos", "Lagos"],
])("the country %s becomes %s", (text, code) => {
  expect(countryCode(text)).toBe(code);
});
