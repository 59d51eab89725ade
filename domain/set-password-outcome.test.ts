import { expect, test } from "vitest";
import { outcomeSentences } from "#domain/set-password-outcome.ts";

const nothing = {
  ended: { authenticator: false, passkeys: 0, apiKeys: 0, webhooks: 0, calendar: false, deletion: false },
  remaining: { authenticator: false, passkeys: 0 },
};

test("returns no sentence if nothing ended and nothing remains", () => {
  expect(outcomeSentences(nothing)).toEqual([]);
});

test("lists everything that ended and everything that remains, and says that the deletion is taken back", () => {
  const ended = { authenticator: true, passkeys: 2, apiKeys: 1, webhooks: 3, calendar: true, deletion: true };
  const remaining = { authenticator: true, passkeys: 1 };
  expect(outcomeSentences({ ended, remaining })).toEqual([
    "Your account won't be deleted: the request for that is taken back.",
    "Removed from your account: the authenticator app, 2 passkeys, 1 API key, 3 webhooks and the address of your calendar.",
    "Still on your account: the authenticator app and 1 passkey. If any of it isn't yours, remove it under Login and security, or write to us if you can't log in.",
  ]);
});

test("lists a single thing without an and", () => {
  expect(outcomeSentences({ ...nothing, ended: { ...nothing.ended, passkeys: 1 } })).toEqual([
    "Removed from your account: 1 passkey.",
  ]);
  expect(outcomeSentences({ ...nothing, remaining: { ...nothing.remaining, passkeys: 2 } })).toEqual([
    expect.stringMatching(/^Still on your account: 2 passkeys\. /),
  ]);
});
