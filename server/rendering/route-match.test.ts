import { matchRoutes } from "react-router";
import { expect, test, vi } from "vitest";
import { createRouteMatcher } from "./route-match.ts";

const root = { id: "root", path: "", module: { default: () => null } };
const product = { id: "product", parentId: "root", path: "product/:id", module: { default: () => null } };
const placeOf = createRouteMatcher({ routes: { root, product }, entry: { module: { matchRoutes } } });

test("a path that can't be decoded gets one spelling, and leaves no warning", () => {
  const warn = vi.spyOn(console, "warn");
  expect(placeOf("/product/%zz").path).toBe("/product/%25zz");
  expect(placeOf("/product/a%20b").path).toBe("/product/a%20b");
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
