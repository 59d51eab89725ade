import { expect, test } from "vitest";
import { pictureAddress, shownWidth, usefulWidths } from "./picture-files.ts";

test("nothing is enlarged, and no width is offered twice", () => {
  expect([100, 320, 321, 800, 900, 5000].map((width) => usefulWidths(width))).toEqual([
    [320],
    [320],
    [320, 800],
    [320, 800],
    [320, 800, 1600],
    [320, 800, 1600],
  ]);
  expect([shownWidth(800, 500), shownWidth(800, 5000)]).toEqual([500, 800]);
  expect(pictureAddress("a", 320, "webp")).toBe("/pictures/a/320.webp");
});
