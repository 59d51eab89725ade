import { expect, test } from "vitest";
import { explained, systemFailure } from "./operator-error.ts";

const failure = (code: string, more = {}) =>
  Object.assign(new Error(`${code}: as Node says it`), { code, ...more });

test.each([
  ["EACCES", "/data may not be read or written by this user: run the command as the user who runs Wayfare."],
  ["EROFS", "/data is on a file system that is read-only."],
  ["ENOSPC", "There is no room left on the disk of /data."],
])("%s is explained with its remedy", (code, sentence) => {
  expect(systemFailure(failure(code), "/data")).toBe(sentence);
  expect(explained(failure(code, { path: "/data" }))).toBe(sentence);
});

test("other failures keep their own message", () => {
  for (const error of [
    failure("EIO", { path: "/data" }),
    failure("EACCES", { path: "/data", syscall: "connect" }),
  ]) {
    expect(systemFailure(error)).toBeNull();
    expect(explained(error)).toBe(error.message);
  }
});
