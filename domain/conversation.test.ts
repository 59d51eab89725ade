import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkMessage,
  decideTakeBack,
  looksLikePassportNumber,
  messageLimits,
  messageStates,
  otherSide,
  sides,
  takeBackUntil,
  waitingSideOf,
} from "./conversation.ts";

const at = (minute: number) => new Date(Date.UTC(2027, 0, 1, 9, minute));

describe("a message's text", () => {
  test("is trimmed, and counted without the spaces around it", () => {
    expect(checkMessage(" \n Hello \t", 0)).toEqual({ text: "Hello" });
    const longest = "x".repeat(messageLimits.text);
    expect(checkMessage(`  ${longest}  `, 0)).toEqual({ text: longest });
    expect(checkMessage(`${longest}x`, 0)).toMatchObject({ code: "form/incomplete", field: "text" });
  });

  test("may be missing only if there are one to five files", () => {
    expect(checkMessage(" ", 0)).toMatchObject({ field: "text" });
    for (const files of [1, messageLimits.files]) expect(checkMessage(" ", files)).toEqual({ text: "" });
    expect(checkMessage("Here", messageLimits.files + 1)).toMatchObject({ field: "files" });
  });
});

describe("taking a message back", () => {
  const message = { state: "sent", at: at(0), isRead: false } as const;

  test("is allowed for 15 minutes to the millisecond", () => {
    const until = takeBackUntil(message.at);
    expect(until).toEqual(at(15));
    expect(decideTakeBack(message, until)).toBe("allowed");
    expect(decideTakeBack(message, new Date(until.getTime() + 1))).toBe("tooLate");
  });

  test("is refused once it was read or is a stub", () => {
    expect(decideTakeBack({ ...message, isRead: true }, at(1))).toBe("read");
    for (const state of messageStates.filter((each) => each !== "sent"))
      expect(decideTakeBack({ ...message, state }, at(1))).toBe("gone");
  });
});

describe("the side that a conversation waits for", () => {
  test("is nobody without a message", () => {
    expect(waitingSideOf([])).toEqual({ waiting: null, since: null });
  });

  test("is the side that did not write last, since the first message that it has not answered", () => {
    const messages = (["student", "staff", "student", "student"] as const).map((side, minute) => ({
      side,
      at: at(minute),
      isSettled: false,
    }));
    expect(waitingSideOf(messages)).toEqual({ waiting: "staff", since: at(2) });
    expect(waitingSideOf(messages.slice(0, 2))).toEqual({ waiting: "student", since: at(1) });
    expect(waitingSideOf(messages.slice(0, 1))).toEqual({ waiting: "staff", since: at(0) });
  });

  test("is nobody after a message that needs no answer, until the next message", () => {
    const [first, second] = [{ side: "student", at: at(0), isSettled: true } as const, at(1)];
    expect(waitingSideOf([first])).toEqual({ waiting: null, since: null });
    const next = { ...first, at: second, isSettled: false };
    expect(waitingSideOf([first, next])).toEqual({ waiting: "staff", since: second });
  });

  test("is nobody after an answer that needs no answer itself", () => {
    const question = { side: "student", at: at(0), isSettled: false } as const;
    const answer = { side: "staff", at: at(1), isSettled: true } as const;
    expect(waitingSideOf([question, answer])).toEqual({ waiting: null, since: null });
    expect(waitingSideOf([question])).toEqual({ waiting: "staff", since: at(0) });
  });

  test("is the result of processing one message after the other", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...sides), { minLength: 1, maxLength: 20 }), (senders) => {
        const messages = senders.map((side, minute) => ({ side, at: at(minute), isSettled: false }));
        let [waiting, since]: [string | null, Date | null] = [null, null];
        for (const message of messages) {
          if (waiting !== otherSide[message.side]) since = message.at;
          waiting = otherSide[message.side];
        }
        expect(waitingSideOf(messages)).toEqual({ waiting, since });
      }),
    );
  });
});

test.each([
  ["My passport number is A01234567.", true],
  ["passport no. 123 456 789", true],
  ["Here is my passport: AB 123456", true],
  ["Passportnummer: 123456789", true],
  // An answer to a question, without the word "passport".
  ["It's g1234567", true],
  ["AB1234567", true],
  ["I'll renew my passport in 2027.", false],
  ["Call me at +44 20 7946 0958", false],
  ["The fee is 1234567 naira", false],
  ["See https://example.org/rules for CS101", false],
])("%s looks like a passport number: %s", (text, expected) => {
  expect(looksLikePassportNumber(text)).toBe(expected);
});
