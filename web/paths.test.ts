import { expect, test } from "vitest";
import { guardedPathsOf, pathsOf } from "./paths.ts";

const routes = {
  root: { path: "" },
  home: { index: true, parentId: "root" },
  "guards/student": { parentId: "root" },
  desk: { path: "student-dashboard", parentId: "guards/student" },
  product: { path: "product/:productId", parentId: "root" },
  rest: { path: "*", parentId: "root" },
};

test("addresses are those of the leaves, without guards and without the splat", () => {
  expect(pathsOf(routes)).toEqual(["/", "/product/:productId", "/student-dashboard"]);
});

test("those behind a guard are known apart", () => {
  expect(guardedPathsOf(routes)).toEqual(["/student-dashboard"]);
});
