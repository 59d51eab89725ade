import { expect, test } from "vitest";
import { pinched, swipeOf } from "./touch-gestures.ts";

const at = (x: number, y: number) => ({ x, y });

test.each([
  [at(200, 100), at(100, 110), 1],
  [at(100, 100), at(200, 90), -1],
  [at(100, 100), at(60, 100), null],
  [at(100, 100), at(30, 160), null],
  [at(100, 100), at(100, 300), null],
])("from %j to %j is the swipe %j", (from, to, swipe) => {
  expect(swipeOf(from, to)).toBe(swipe);
});

test("a pinch scales the picture by the distance of the fingers, within bounds", () => {
  const apart = (pixels: number) => [at(0, 0), at(pixels, 0)];
  expect(pinched(1, apart(100), apart(250))).toBe(2.5);
  expect(pinched(2, apart(100), apart(75))).toBe(1.5);
  expect(pinched(1, apart(100), apart(10))).toBe(1);
  expect(pinched(4, apart(100), apart(900))).toBe(6);
  expect(pinched(2, apart(0), apart(90))).toBe(2);
});
