import { expect, test } from "vitest";
import { createBidKeys } from "./bid-keys.ts";

test("a retry has the key of the first try until it is answered; other amounts have their own", () => {
  let made = 0;
  const keys = createBidKeys(() => `key ${++made}`);
  expect(keys.isOpen("200")).toBe(false);
  expect([keys.of("200"), keys.of("201"), keys.of("200")]).toEqual(["key 1", "key 2", "key 1"]);
  expect(keys.isOpen("200")).toBe(true);
  keys.answered("200");
  expect(keys.isOpen("200")).toBe(false);
  expect([keys.of("200"), keys.of("201")]).toEqual(["key 3", "key 2"]);
});
