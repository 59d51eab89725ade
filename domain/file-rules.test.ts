import { expect, test } from "vitest";
import { fileRules, typeByStart, withFileName } from "#domain/file-rules.ts";

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
  expect(typeByStart(Uint8Array.from(text, (character) => character.charCodeAt(0) & 255))).toBe(type);
});

const startOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);

test("refuses a photo from an iPhone with advice", () => {
  const rules = fileRules({
    types: ["image/jpeg"],
    accepted: "JPEG",
    bytes: 1,
    noun: "picture",
    image: "picture",
  });
  expect(rules.startProblem(startOf("\0\0\0\u0018ftypheic"))).toBe("heic");
  expect(rules.startProblem(startOf("\0\0\0\u0018ftypmif1"))).toBe("heic");
  expect(rules.startProblem(startOf("\0\0\0\u0018ftypmp42"))).toBe("unknownType");
  expect(rules.refusal.heic.message).toBe(
    "iPhone HEIC photos aren't supported. Save it as JPEG, or choose Settings › Camera › Formats › Most Compatible.",
  );
});

test.each([
  ["This file is incomplete.", "cutoff.jpg is incomplete."],
  ["This picture is too large.", "cutoff.jpg is too large."],
  ["This isn't a PNG picture.", "cutoff.jpg isn't a PNG picture."],
  ["We couldn't read this picture.", "cutoff.jpg: We couldn't read this picture."],
])("%j with the name of the file is %j", (message, sentence) => {
  expect(withFileName(message, "cutoff.jpg")).toBe(sentence);
});
