import { expect, test } from "vitest";
import { pictureFileProblem, pictureLimits, pictureSizeProblem } from "./auction-picture.ts";

test("a picture has at most 10 MB and 50 megapixels, and is not empty", () => {
  const size = (bytes: number) => pictureFileProblem(bytes);
  expect([size(0), size(1), size(pictureLimits.bytes), size(pictureLimits.bytes + 1)]).toEqual([
    "empty",
    null,
    null,
    "tooLarge",
  ]);
  const pixels = (width: number, height: number) => pictureSizeProblem({ width, height });
  expect([pixels(0, 9), pixels(9, 0), pixels(1, 1), pixels(10_000, 5000), pixels(10_001, 5000)]).toEqual([
    "noSize",
    "noSize",
    null,
    null,
    "tooManyPixels",
  ]);
});

test("a picture has at most 20,000 pixels a side", () => {
  const side = (width: number, height: number) => pictureSizeProblem({ width, height });
  expect([side(20_000, 2500), side(2500, 20_000), side(20_001, 1), side(1, 20_001)]).toEqual([
    null,
    null,
    "tooManyPixels",
    "tooManyPixels",
  ]);
});
