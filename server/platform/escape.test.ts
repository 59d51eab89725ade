import { expect, test } from "vitest";
import { csvLine } from "./escape.ts";

test("cells are quoted where they need it", () => {
  expect(csvLine(["plain", "a, b", 'say "hi"', "two\nlines", "", " room "])).toBe(
    'plain,"a, b","say ""hi""","two\nlines",," room "\r\n',
  );
});

test.each(["=1+1", "+27 82 555", "-2", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])(
  "%j is no formula",
  (text) => expect(csvLine([text]).replaceAll('"', "")).toBe(`'${text}\r\n`),
);

test("text with such signs only inside stays as it is", () => {
  expect(csvLine(["a=1", "1-2", "o'clock", "x@y.example"])).toBe("a=1,1-2,o'clock,x@y.example\r\n");
});
