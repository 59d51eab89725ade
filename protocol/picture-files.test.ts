import { expect, test } from "vitest";
import { pictureAddress, pictureWidths, shownWidth, usefulWidths } from "./picture-files.ts";

test("pictures are never enlarged, and no width is offered twice", () => {
  expect([100, 320, 321, 800, 900, 5000].map((width) => usefulWidths({ width, height: width }))).toEqual([
    [320],
    [320],
    [320, 800],
    [320, 800],
    [320, 800, 1600],
    [320, 800, 1600],
  ]);
  const square = (side: number) => ({ width: side, height: side });
  expect([shownWidth(800, square(500)), shownWidth(800, square(5000))]).toEqual([500, 800]);
  const tall = { width: 300, height: 6000 };
  expect(pictureWidths.map((width) => shownWidth(width, tall))).toEqual([64, 160, 300]);
  expect(usefulWidths(tall)).toEqual([320, 800, 1600]);
  expect(pictureAddress("a", 320, "webp")).toBe("/pictures/a/320.webp");
});
