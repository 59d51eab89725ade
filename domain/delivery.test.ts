import { describe, expect, test } from "vitest";
import { deliveryLimits, deliveryWords } from "./delivery.ts";
import { parseCourier } from "./product-check.ts";

test.each([
  [{ collectionPlace: "", courier: null }, []],
  [{ collectionPlace: "Cape Town", courier: null }, ["Collection in Cape Town"]],
  [{ collectionPlace: "", courier: 0 }, ["Free courier"]],
  [{ collectionPlace: "Cape Town", courier: 9_900 }, ["Collection in Cape Town", "Courier R99.00"]],
])("the delivery %j is shown as %j", (delivery, words) => expect(deliveryWords(delivery)).toEqual(words));

describe("the price of a courier", () => {
  test.each([
    ["", null],
    ["  ", null],
    ["0", 0],
    ["99", 9_900],
    ["R 1,250.50", 125_050],
  ])("%j is %j", (text, courier) => expect(parseCourier(text)).toEqual({ kind: "courier", courier }));

  test.each(["free", "-1", String(deliveryLimits.courier / 100 + 1)])("%j is refused", (text) =>
    expect(parseCourier(text).kind).toBe("problem"),
  );
});
