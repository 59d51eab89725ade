import { expect, test } from "vitest";
import { parseRecoveryCode, recoveryCodeBytes, recoveryCodeOf } from "./second-factor.ts";

const bytes = (first: number) => Uint8Array.from({ length: recoveryCodeBytes }, (_, at) => first + at);
const firstCode = "01234-56789-abcde-fghjk-mnpqr";

test("a code is five groups of five, without letters that look like others", () => {
  expect(recoveryCodeOf(bytes(0))).toBe(firstCode);
  expect(recoveryCodeOf(bytes(7))).toBe("789ab-cdefg-hjkmn-pqrst-vwxyz");
});

test("every code can be typed as it is shown", () => {
  for (let first = 0; first < 256; first++) {
    const code = recoveryCodeOf(bytes(first));
    expect(parseRecoveryCode(code)).toBe(code);
  }
});

test.each([
  firstCode.toUpperCase(),
  firstCode.replaceAll("-", ""),
  firstCode.replaceAll("-", " "),
  ` ${firstCode}\n`,
  firstCode.replace("0", "O").replace("1", "l"),
])("%j is the same code", (text) => expect(parseRecoveryCode(text)).toBe(firstCode));

test.each([
  "",
  "123456",
  firstCode.slice(1),
  `${firstCode}0`,
  firstCode.replace("a", "u"),
  firstCode.replace("a", "é"),
])("%j is not a code", (text) => expect(parseRecoveryCode(text)).toBeNull());
