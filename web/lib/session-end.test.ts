import { expect, test } from "vitest";
import { messageOf } from "#domain/error-catalogue.ts";
import { noteSessionEnd, sessionEnd, sessionEndWords } from "./session-end.ts";

const loggedOut = "You've been logged out, here or on another device. What you typed is kept.";

test.each([
  ["no last event", null, "Your session has ended. What you typed is kept."],
  ["a log-out elsewhere", "{}", loggedOut],
  ["an unknown code", '{"code":"toString"}', loggedOut],
  ["a refused account", '{"code":"account/revoked"}', messageOf["account/revoked"]],
])("the login screen says how the session ended: %s", (_, data, words) => {
  noteSessionEnd(data);
  expect(sessionEndWords(sessionEnd())).toBe(words);
});

test("the login screen says nothing if no session ended", () => {
  expect(sessionEndWords(null)).toBeNull();
});
