import fc from "fast-check";
import { expect, test } from "vitest";
import { looksLikeEmail, normaliseEmail } from "./email.ts";

test.each(["a@b.co", "ada.obi+x@mail.example.org", "o'neil@example.ng", "x@xn--bcher-kva.example"])(
  "%s is an address",
  (email) => {
    expect(looksLikeEmail(email)).toBe(true);
  },
);
test.each([
  "",
  "a",
  "a@b",
  "@b.co",
  "a@",
  "a@@b.co",
  "a b@c.de",
  "a@b .co",
  ".a@b.co",
  "a..b@c.de",
  "a@-b.co",
  "a@b..co",
  "a@1.2.3.4",
  "a@b.co\r\nBcc: x@y.zz",
  "<a@b.co>",
  "a@b.co,c@d.ee",
  `${"x".repeat(65)}@b.co`,
  `a@${"x".repeat(64)}.co`,
  `a@${"x.".repeat(130)}co`,
])("%s is not an address", (email) => {
  expect(looksLikeEmail(email)).toBe(false);
});

test("an accepted address has no white space, comma or bracket, and is still accepted once normalised", () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string()), (text) => {
      if (!looksLikeEmail(text)) return;
      expect(text).not.toMatch(/[\s,<>()\\"]/);
      expect(looksLikeEmail(normaliseEmail(text))).toBe(true);
      expect(normaliseEmail(` ${text.toUpperCase()} `)).toBe(normaliseEmail(text));
    }),
  );
});
