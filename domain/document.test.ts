import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue } from "#domain/error-catalogue.ts";
import {
  documentKinds,
  documentLabel,
  documentLimits,
  downloadName,
  fileProblem,
  imageProblem,
  storageProblem,
  uploadProblems,
  uploadRefusal,
} from "./document.ts";

test("the six slots have the labels of the forms", () => {
  expect(documentKinds.map((kind) => documentLabel[kind])).toEqual([
    "Transcript",
    "CV",
    "Statement of purpose",
    "Recommendation 1",
    "Recommendation 2",
    "Passport",
  ]);
});

describe("a file by its name and size", () => {
  const size = 1000;
  test.each(["transcript.pdf", "Zeugnis 2026 (final).PDF", "成績.png", "a", "résumé…jpeg", "x".repeat(255)])(
    "%j is accepted",
    (name) => expect(fileProblem({ name, size })).toBeNull(),
  );

  test.each([
    "",
    " ",
    ".",
    "..",
    "../../etc/passwd",
    "a/b.pdf",
    "C:\\temp\\b.pdf",
    "a\0.pdf",
    "a\r\nSet-Cookie: x=1.pdf",
    "a\u0085b.pdf",
    "a\u2028b.pdf",
    "cv\u202efdp.exe",
    "a\u2066b.pdf",
    "\ud800.pdf",
    "x".repeat(256),
    "x".repeat(10_000),
  ])("%j is refused", (name) => expect(fileProblem({ name, size })).toBe("badName"));

  test("a file has at most 20 MB, and is not empty", () => {
    const name = "cv.pdf";
    expect(fileProblem({ name, size: 0 })).toBe("empty");
    expect(fileProblem({ name, size: 1 })).toBeNull();
    expect(fileProblem({ name, size: 20 * 1024 * 1024 })).toBeNull();
    expect(fileProblem({ name, size: 20 * 1024 * 1024 + 1 })).toBe("tooLarge");
    expect(fileProblem({ name, size: null })).toBeNull();
  });
});

test("an image has a size, of at most 50 megapixels and 20,000 pixels a side", () => {
  expect(imageProblem({ width: 10_000, height: 5_000 })).toBeNull();
  expect(imageProblem({ width: 10_000, height: 5_001 })).toBe("tooManyPixels");
  expect(imageProblem({ width: 20_000, height: 2_500 })).toBeNull();
  expect(imageProblem({ width: 20_001, height: 1 })).toBe("tooManyPixels");
  expect(imageProblem({ width: 1, height: 20_001 })).toBe("tooManyPixels");
  expect(imageProblem({ width: 0xffffffff, height: 0xffffffff })).toBe("tooManyPixels");
  expect(imageProblem({ width: 0, height: 9 })).toBe("noSize");
  expect(imageProblem({ width: 9, height: 0 })).toBe("noSize");
});

test("all files of a student together: 300 MB, and 60 MB until their address is verified", () => {
  const mb = 1024 * 1024;
  expect(storageProblem(280 * mb, 20 * mb, true)).toBeNull();
  expect(storageProblem(280 * mb, 20 * mb + 1, true)).toBe("noRoom");
  expect(storageProblem(40 * mb, 20 * mb, false)).toBeNull();
  expect(storageProblem(40 * mb, 20 * mb + 1, false)).toBe("noRoomUnverified");
});

test("every problem has a code of the catalogue and its own message", () => {
  const words = uploadProblems.map((problem) => uploadRefusal[problem].message);
  expect(new Set(words).size).toBe(uploadProblems.length);
  for (const problem of uploadProblems) expect(catalogue).toHaveProperty(uploadRefusal[problem].code);
  expect(uploadRefusal.tooLarge.message).toContain("20 MB");
});

test.each([
  ["cv.pdf", "application/pdf", "cv.pdf"],
  ["cv.PDF", "application/pdf", "cv.PDF"],
  ["scan.jpeg", "image/jpeg", "scan.jpeg"],
  ["cv.pdf", "image/png", "cv.pdf.png"],
  ["page.html", "image/png", "page.html.png"],
  ["transcript", "application/pdf", "transcript.pdf"],
  ["odd.", "application/pdf", "odd..pdf"],
] as const)("%s with the content of %s is downloaded as %s", (name, type, expected) => {
  expect(downloadName(name, type)).toBe(expected);
});

test("an accepted name is within its limit, without slashes and line breaks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (name) => {
      if (fileProblem({ name, size: 1 }) !== null) return;
      expect(name.length).toBeLessThanOrEqual(documentLimits.name);
      expect(name).not.toMatch(/[/\\\r\n\0]/);
    }),
  );
});
