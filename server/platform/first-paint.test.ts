import { expect, test } from "vitest";
import { paintedAtOnce } from "./first-paint.ts";

test("a page brings its styles, in their order, and leaves React the links that it looks for", () => {
  const html =
    '<link rel="stylesheet" href="/a.css#"/><link rel="stylesheet" href="/b.css"/><link rel="icon" href="/i"/>';
  expect(paintedAtOnce(html, (address) => `/* ${address} */`)).toBe(
    '<style>/* /a.css */</style><link rel="stylesheet" href="/a.css#" media="not all" disabled=""/>' +
      '<style>/* /b.css */</style><link rel="stylesheet" href="/b.css" media="not all" disabled=""/>' +
      '<link rel="icon" href="/i"/>',
  );
});

test("the application's code comes after what is seen first", () => {
  const preload = '<link rel="modulepreload" href="/a.js"/>';
  expect(paintedAtOnce(preload, String)).toBe('<link rel="modulepreload" fetchpriority="low" href="/a.js"/>');
});
