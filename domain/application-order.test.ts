import { expect, test } from "vitest";
import type { ApplicationState } from "./application.ts";
import { byUrgency } from "./application-order.ts";

test("what waits for the student comes first, what has ended last, and of each the newest", () => {
  const at = (state: ApplicationState, day: number) => ({
    state,
    updatedAt: new Date(Date.UTC(2026, 0, day)),
  });
  const inOrder = [
    at("unconditionalOffer", 3),
    at("informationRequired", 1),
    at("submitted", 9),
    at("deferred", 8),
    at("visa", 2),
    at("rejected", 20),
    at("enrolled", 19),
    at("withdrawn", 18),
  ];
  expect(inOrder.toReversed().toSorted(byUrgency)).toEqual(inOrder);
});
