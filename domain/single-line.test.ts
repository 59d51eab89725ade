import { describe, expect, test } from "vitest";
import { isInvisible, lineProblem, nameProblem } from "./single-line.ts";

describe("accepts names as people have them", () => {
  test.each([
    "Ada",
    "Óscar Núñez-de la Peña",
    "O'Brien",
    "D’Angelo",
    "St. John",
    "J.R.R. Tolkien",
    "J.Smith",
    "Martin Luther King, Jr.",
    "Raja s/o Kumar",
    "Nguyễn Thị Hồng",
    "李小龍",
    "محمد",
    // With the joiners of Persian and Sinhala.
    "پاک\u200cنژاد",
    "ශ්\u200dරී ලංකා",
    "Jean\u00a0Paul",
    "3M Education (Pty) Ltd.",
    "6th of October",
  ])("%s", (name) => {
    expect(nameProblem(name, "First name")).toBeNull();
    expect(isInvisible(name)).toBe(false);
  });
});

describe("refuses invisible characters and line breaks", () => {
  test.each([
    "A\r\nBcc: eve@evil.example",
    "Ada\tObi",
    "Ada\u2028Obi",
    "Ada\u202eibO",
    "Ada\u200b",
    "A\u200dda",
    "Ada\u200c",
    "A\u00adda",
    "Ada\u0007",
    "Ada\ue000",
    "\ufeffAda",
  ])("%j", (text) => {
    const message = "City contains characters that can't be used. Please type it again.";
    expect(lineProblem(text, "City")).toBe(message);
    expect(nameProblem(text, "City")).toBe(message);
  });
});

describe("refuses web addresses in names", () => {
  test.each([
    "Pay at http://evil.example/",
    "hxxp://x",
    "www.evil",
    "WWW.EVIL.EXAMPLE",
    "evil.example",
    "Evil.Com",
    "x@evil.example",
    "t.me/evil",
    "evil．example",
    "evil。example",
    "ｗｗｗ.evil",
    "παράδειγμα.ελ",
  ])("%s", (text) => {
    expect(nameProblem(text, "Agency name")).toContain("Agency name looks like a web address.");
    expect(lineProblem(text, "Agency name")).toBeNull();
  });
});

test.each(["", "  ", "\u200b", "\u202e\u2066", "\u3164", "\u2800 \u00a0", "\u00ad"])(
  "%j is invisible",
  (text) => expect(isInvisible(text)).toBe(true),
);
