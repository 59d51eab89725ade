import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";

test("everything is optional", () => {
  expect(readEnvironment({})).toMatchObject({
    port: 3000,
    baseUrl: "http://localhost:3000",
    dataDir: resolve("data"),
    passwordMinLength: 6,
    unverifiedBidLimit: 1_000_000,
    trustProxy: 0,
    logLevel: "info",
  });
});

test("the defaults are those of .env.example, commented out or not", () => {
  const example = readFileSync(".env.example", "utf8").replace(/^#(?=[A-Z_]+=)/gm, "");
  expect(readEnvironment(parseEnv(example))).toEqual(readEnvironment({}));
});

test("every variable stands in the README's table and in .env.example", () => {
  const source = readFileSync("server/platform/environment.ts", "utf8");
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(12);
  for (const file of ["README.md", ".env.example"])
    for (const name of names) expect(readFileSync(file, "utf8"), file).toContain(name);
});

describe("a value that can't be used is refused by name", () => {
  test.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["HOST", "localhost"],
    ["BASE_URL", "wayfare.example"],
    ["BASE_URL", "ftp://wayfare.example"],
    ["BASE_URL", "https://wayfare.example/app"],
    ["DATABASE_URL", "mysql://localhost/wayfare"],
    ["DATABASE_MIGRATION_URL", "mysql://localhost/wayfare"],
    ["DATABASE_MIGRATION_URL", "postgres://owner@localhost/wayfare"],
    ["SMTP_URL", "localhost:25"],
    ["MAIL_FROM", "Wayfare"],
    ["CONTACT_EMAIL", "nobody"],
    ["PROGRAM_SEARCH_URL", "https://search.example/"],
    ["PROGRAM_SEARCH_URL", "https://{query}.example/"],
    ["STORAGE_URL", "https://files.example"],
    ["STORAGE_URL", "s3://files.example/papers"],
    ["STORAGE_URL", "s3://key:secret@files.example"],
    ["ADMIN_EMAILS", "a@example.org,b"],
    ["ADMIN_SECOND_FACTOR", "yes"],
    ["PASSWORD_MIN_LENGTH", "5"],
    ["UNVERIFIED_BID_LIMIT", "10000.50"],
    ["SESSION_SECRET", "short"],
    ["TRUST_PROXY", "true"],
    ["LOG_LEVEL", "loud"],
  ])("%s=%s", (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`\\b${name} must`));
  });
});

test("admins' addresses are compared without regard to case, and once each", () => {
  expect(
    readEnvironment({ ADMIN_EMAILS: " A@Example.org, a@example.org ,b@example.org," }).adminEmails,
  ).toEqual(["a@example.org", "b@example.org"]);
});
