import { expect, test } from "vitest";
import { curvePath } from "./curve-path.ts";

const point = (at: number, amount: number) => ({ at, amount });

test("draws a level line between bids and a step at each", () => {
  expect(curvePath([point(0, 100), point(50, 150), point(100, 200)])).toBe("M0 160H285V80H570V0H600");
});

test("draws simultaneous bids and a price that never rose without a gap", () => {
  expect(curvePath([point(5, 100), point(5, 200)])).toBe("M0 160H0V0H600");
  expect(curvePath([point(0, 100), point(100, 100)])).toBe("M0 80H570V80H600");
  expect(curvePath([point(0, 100)])).toBe("M0 80H600");
  expect(curvePath([])).toBe("");
});
