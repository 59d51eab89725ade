import { expect, test } from "vitest";
import { typeByStart } from "#domain/file-rules.ts";

test.each([
  ["%PDF-1.7\n%âãÏÓ", "application/pdf"],
  ["\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF", "image/jpeg"],
  ["\u0089PNG\r\n\u001a\n\0\0\0\rIHDR", "image/png"],
  ["RIFF\u0040\0\0\0WEBPVP8X", "image/webp"],
  ["<!doctype html>", null],
  ["RIFF\0\0\0\0WAVE", null],
  ["%PDF", null],
  ["", null],
])("%j is %s", (text, type) => {
  expect(typeByStart(Uint8Array.from(text, (sign) => sign.charCodeAt(0) & 255))).toBe(type);
});
