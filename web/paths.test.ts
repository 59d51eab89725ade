import { expect, test } from "vitest";
import { pathsOf } from "./paths.ts";

test("addresses are those of the leaves, without guards and without the splat", () => {
  const routes = {
    root: { path: "" },
    home: { index: true, parentId: "root" },
    guard: { parentId: "root" },
    product: { path: "product/:productId", parentId: "guard" },
    rest: { path: "*", parentId: "root" },
  };
  expect(pathsOf(routes)).toEqual(["/", "/product/:productId"]);
});
