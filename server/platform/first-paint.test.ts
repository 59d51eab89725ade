import { expect, test } from "vitest";
import { paintedAtOnce } from "./first-paint.ts";

test("a page brings its styles, in their order, and leaves React the links that it looks for", () => {
  const html =
    '<link rel="stylesheet" href="/a.css#"/><link rel="stylesheet" href="/b.css"/><link rel="icon" href="/i"/>';
  expect(paintedAtOnce(html, (address) => `/* ${address} */`)).toBe(
    '<style>/* /a.css */</style><link rel="stylesheet" href="/a.css#" media="not all" disabled=""/>' +
      '<link rel="stylesheet" href="/a.css" media="not all" disabled=""/>' +
      '<style>/* /b.css */</style><link rel="stylesheet" href="/b.css" media="not all" disabled=""/>' +
      '<link rel="icon" href="/i"/>',
  );
});

test("the application is begun after the first paint: nothing of it is asked for before", () => {
  const html =
    '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/><p>Seen</p>' +
    '<script type="module" async="">import "/a.js";\nimport * as route0 from "/b.js";\n  window.routes = [route0];\nimport("/entry.js");</script>';
  const painted = paintedAtOnce(html, String);
  expect(painted).not.toContain("<link");
  const [, code = ""] = /<script type="module" async="">([^<]+)<\/script>/.exec(painted) ?? [];
  expect(code).toContain('modules = ["/a.js","/b.js"];');
  expect(code).toContain('await import("/entry.js");');
  expect(code).toContain(
    'await import("/a.js");\nconst route0 = await import("/b.js");\n  window.routes = [route0];',
  );
  expect(code).not.toMatch(/^import /m);
});

test("a page that begins the application in an unknown way is refused", () => {
  const preload = '<link rel="modulepreload" href="/a.js"/>';
  const script = (code: string) => `${preload}<script type="module" async="">${code}</script>`;
  expect(() => paintedAtOnce(`${preload}<script type="module">import "/a.js";</script>`, String)).toThrow(
    "otherwise",
  );
  expect(() => paintedAtOnce(script('import { a } from "/a.js";'), String)).toThrow("otherwise");
  expect(paintedAtOnce(script('import "/a.js";'), String)).toContain('await import("/a.js");');
});
