import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { recorder } from "#tests/support/wayfare.ts";
import { announcements, createLogTo, errorForLog, readable } from "./log.ts";

const secret = "canary@example.org";

describe("the text format", () => {
  const line = (fields: object) => readable(JSON.stringify({ time: Date.UTC(2026, 0, 1), ...fields }));

  test("has the time, the message and its fields, and names a warning", () => {
    expect(line({ level: 30, msg: "Wayfare is ready: http://localhost:3000" })).toMatch(
      /^\d\d:\d\d:\d\d Wayfare is ready: http:\/\/localhost:3000\n$/,
    );
    expect(line({ level: 40, msg: "too many", count: 3, of: "them" })).toMatch(
      / WARNING too many count=3 of=them\n$/,
    );
  });

  test("has an error's stack on separate lines", () => {
    const err = errorForLog(new TypeError("a bug"));
    expect(line({ level: 50, msg: "a request failed", err })).toMatch(
      / ERROR a request failed\n[^]*a bug[^]*log\.test\.ts/,
    );
  });
});

test("writes announcements at any log level", () => {
  const lines: string[] = [];
  const log = createLogTo({ write: (line) => void lines.push(line) }, "error");
  log.info("not this");
  announcements(log).info("but this");
  expect(lines).toEqual([expect.stringContaining("but this")]);
});

test("a line is JSON with time, level and message", () => {
  const { lines, log } = recorder();
  log.info({ route: "/" }, "answered");
  expect(lines).toEqual([{ level: 30, time: expect.any(Number), route: "/", msg: "answered" }]);
});

test("leaves everything that people entered out of errors", () => {
  const database = Object.assign(new pg.DatabaseError(`invalid input: "${secret}"`, 1, "error"), {
    code: "22P02",
    detail: `Key (email)=(${secret}) already exists.`,
  });
  const rejected = Object.assign(new Error(`550 no ${secret}`), { code: "EENVELOPE", responseCode: 550 });
  const errors = [
    database,
    new DrizzleQueryError("select $1", [secret], database),
    rejected,
    thrownBy(() => JSON.parse(`{"email":${secret}`)),
    new Error(`No recipients: <${secret}>`),
    secret,
    { code: "22P02", message: database.message },
    { code: "EENVELOPE", message: `No recipients: <${secret}@example.org>` },
  ];
  for (const error of errors) expect(JSON.stringify(errorForLog(error))).not.toContain("canary");
  expect(errorForLog(database)).toMatchObject({ code: "22P02" });
  expect(errorForLog(rejected)).toMatchObject({ code: "EENVELOPE", responseCode: 550 });
  expect(errorForLog(new Error("a bug"))).toMatchObject({ message: "a bug" });
});

test("keeps the message of an error that the job queue copied", () => {
  const copy = { message: "connect ECONNREFUSED 127.0.0.1:5432", code: "ECONNREFUSED", queue: "mail" };
  expect(errorForLog(copy)).toMatchObject({ message: copy.message, code: copy.code });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
