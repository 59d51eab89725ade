import { describe, expect, test } from "vitest";
import type { AccountStatus } from "./account.ts";
import { type Area, type Entry, entry, safeNext } from "./area.ts";

const people = {
  visitor: null,
  student: { role: "student", status: "active" },
  pending: { role: "agent", status: "pending" },
  approved: { role: "agent", status: "approved" },
  revoked: { role: "agent", status: "revoked" },
  admin: { role: "admin", status: "active" },
  disabled: { role: "admin", status: "disabled" },
} as const satisfies Record<string, AccountStatus | null>;
type Person = keyof typeof people;

/** Areas with the people who may enter them; other signed-in users get `otherwise`. */
const table: Record<Area, { enter: Person[]; visitor: Entry; otherwise: Entry }> = {
  visitor: { enter: ["visitor"], visitor: "enter", otherwise: "home" },
  signedIn: { enter: ["student", "pending", "approved", "admin"], visitor: "login", otherwise: "home" },
  security: { enter: ["student", "pending", "approved", "admin"], visitor: "login", otherwise: "home" },
  student: { enter: ["student"], visitor: "login", otherwise: "home" },
  approvedAgent: { enter: ["approved"], visitor: "login", otherwise: "home" },
  waitingAgent: { enter: ["pending"], visitor: "login", otherwise: "home" },
  manageStudents: { enter: ["approved", "admin"], visitor: "login", otherwise: "home" },
  studentOrStaff: { enter: ["student", "approved", "admin"], visitor: "login", otherwise: "home" },
  admin: { enter: ["admin"], visitor: "login", otherwise: "unauthorized" },
};

describe.each(Object.entries(table))("%s", (area, { enter, visitor, otherwise }) => {
  test.each(Object.entries(people))("%s", (name, who) => {
    const expected = enter.some((person) => person === name) ? "enter" : who === null ? visitor : otherwise;
    expect(entry(area as Area, who && { ...who, lacksSecondFactor: false })).toBe(expected);
  });
});

test.each(Object.keys(table))("a user who lacks a second factor may only set one up: %s", (area) => {
  const who = { ...people.approved, lacksSecondFactor: true };
  expect(entry(area as Area, who)).toBe(area === "security" ? "enter" : "secure");
});

test.each(["/product/1", "/shortlist?student=2", "/a/b#c"])("%s is a safe address after login", (next) => {
  expect(safeNext(next)).toBe(next);
});
test.each([
  null,
  "",
  "product",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example",
  "/a b",
  "/x\\y",
  "javascript:alert(1)",
  "/login",
  "/signup?x=1",
  "/verify-email",
  "/reset-password?token=x",
  `/${"x".repeat(1024)}`,
])("%s is refused as an address after login", (next) => {
  expect(safeNext(next)).toBeNull();
});
