import { createHash } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { beforeAll, describe, expect, test } from "vitest";
import { built } from "#domain/configuration.ts";
import { inlineScriptHashes } from "./page-answer.ts";
import { servePages } from "./pages.ts";

const configuration = {
  passwordMinLength: 6,
  contactEmail: "</script><script>alert(1)</script>@x",
  baseUrl: "https://study.example",
  programSearchUrl: "https://search.example/?q={query}",
};
const html = (name: string) =>
  `<html><script>${name}</script><script src="/assets/a.js"></script><script id="configuration" type="application/json"></script></html>`;
const places = `<link rel="canonical" href="${built.baseUrl}/login"/><p>${built.contactEmail}</p><script type="application/ld+json">{"url":"${built.baseUrl}"}</script>`;
const app = new Hono({ strict: false });
let samples: string[] = [];
const shown = {
  ahead: "",
  tags: "<title>A desk</title>",
  markup: "<p>A desk</p>",
  answer: JSON.stringify({ name: "</script><script>alert(1)</script>" }),
  at: 1_000,
  heldFor: 20,
};

beforeAll(async () => {
  const build = await mkdtemp(join(tmpdir(), "wayfare-pages-"));
  const write = async (path: string, text: string) => {
    await mkdir(join(build, path, ".."), { recursive: true });
    await writeFile(join(build, path), text);
  };
  await write(
    "routes.json",
    JSON.stringify({
      routes: ["/", "/login", "/reset", "/desk", "/product/:id"],
      prerendered: ["/", "/login", "/reset"],
      inPlaceOfForm: { "/product/:id": "/product/any" },
      ofMembers: ["/desk"],
      samples: ["team"],
    }),
  );
  await write("client/index.html", html("home"));
  await write("client/login/index.html", places + html("login"));
  await write("client/reset/index.html", `<meta name="robots" content="noindex"/>${html("reset")}`);
  await write("client/__spa-fallback.html", html("shell"));
  await write("client/product/any/index.html", `<div data-first-sight=""></div>${html("product")}`);
  await write("client/404/index.html", html("not found"));
  await write("client/500/index.html", `${html("failure")}<script id="colour-scheme">scheme</script>`);
  await write("client/assets/a.js", "plain");
  await write("client/assets/a.js.gz", "zipped");
  await write("client/favicon.svg", "<svg/>");
  await write("secret.txt", "secret");
  samples = servePages(app, build, configuration, async (path) => {
    if (path === "/product/broken") throw new Error("the database is away");
    if (path === "/product/gone") return "missing";
    return path === "/product/shown" ? shown : null;
  });
});

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });

test.each([
  ["/", 200, "home"],
  ["/login", 200, "login"],
  ["/login/", 200, "login"],
  ["/login?next=/x", 200, "login"],
  ["/desk", 200, "shell"],
  ["/product/7", 200, "product"],
  ["/product/gone", 404, "shell"],
  ["/product", 404, "not found"],
  ["/nothing", 404, "not found"],
  ["/__spa-fallback.html", 404, "not found"],
  ["/login/index.html", 404, "not found"],
  ["/routes.json", 404, "not found"],
  ["/assets/../../secret.txt", 404, "not found"],
])("%s answers %i with %s", async (path, status, name) => {
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(await response.text()).toContain(`<script>${name}</script>`);
});

test.each(["/assets/%2e%2e/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/%2e%2e/secret.txt"])(
  "%s does not lead out of the pages",
  async (path) => {
    expect(await (await get(path)).text()).not.toBe("secret");
  },
);

test("a page carries its configuration, which can't end the element it stands in", async () => {
  const text = await (await get("/login")).text();
  const json = /type="application\/json">(.*?)<\/script>/.exec(text)?.[1] ?? "";
  expect(JSON.parse(json)).toEqual(configuration);
});

test("the policy allows just the page's own inline scripts", async () => {
  const policy = (await get("/login")).headers.get("content-security-policy") ?? "";
  const hash = createHash("sha256").update("login").digest("base64");
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(
    inlineScriptHashes("<script>a</script><script>a</script><script type=module>b</script>"),
  ).toHaveLength(2);
  expect(policy.match(/sha256/g)).toHaveLength(1);
});

test("what only the running server knows stands where the build left a place for it", async () => {
  const text = await (await get("/login")).text();
  expect(text).toContain('<link rel="canonical" href="https://study.example/login"/>');
  expect(text).toContain("<p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;@x</p>");
  expect(text).toContain('{"url":"https://study.example"}');
  expect(text).not.toContain(built.baseUrl);
});

test("what is known of an address stands in its place, with what the application is told, which can't end its element", async () => {
  const text = await (await get("/product/shown")).text();
  const [, inside = "", attributes = "", json = ""] =
    /<div data-first-sight="">(.*?)<script type="application\/json"([^>]*)>(.*?)<\/script><\/div>/.exec(
      text,
    ) ?? [];
  expect(inside).toBe(shown.markup);
  expect(attributes).toBe(' data-at="1000" data-held-for="20"');
  expect(JSON.parse(json)).toEqual(JSON.parse(shown.answer));
  expect(text.match(/alert\(1\)<\/script>/g)).toBeNull();
  const policy = async (path: string) => (await get(path)).headers.get("content-security-policy");
  expect(await policy("/product/shown")).toBe(await policy("/product/7"));
});

test("a page whose addresses have no place for what they show does not start", async () => {
  const build = await mkdtemp(join(tmpdir(), "wayfare-pages-"));
  for (const page of ["404", "500", "any"]) await mkdir(join(build, "client", page), { recursive: true });
  for (const file of ["__spa-fallback.html", "404/index.html", "500/index.html", "any/index.html"])
    await writeFile(join(build, "client", file), html("page"));
  const routes = {
    routes: ["/:id"],
    inPlaceOfForm: { "/:id": "/any" },
    prerendered: [],
    ofMembers: [],
    samples: [],
  };
  await writeFile(join(build, "routes.json"), JSON.stringify(routes));
  expect(() => servePages(new Hono(), build, configuration)).toThrow("/:id has no place");
});

test("search engines are told of the public pages and of no other", async () => {
  const map = await get("/sitemap.xml");
  expect(map.headers.get("content-type")).toContain("application/xml");
  expect([...(await map.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual([
    "https://study.example/",
    "https://study.example/login",
  ]);
  expect(await (await get("/robots.txt")).text()).toContain("Sitemap: https://study.example/sitemap.xml");
  const tags = ["/", "/product/7", "/desk", "/nothing", "/?token=mailed"].map(async (path) =>
    (await get(path)).headers.get("x-robots-tag"),
  );
  expect(await Promise.all(tags)).toEqual([null, null, "noindex", "noindex", "noindex"]);
});

test("the files that still hold samples are known", () => {
  expect(samples).toEqual(["team"]);
});

test("a page that could not be made answers the error page, which runs nothing but its colour scheme", async () => {
  const response = await get("/product/broken", { accept: "text/html,*/*" });
  expect(response.status).toBe(500);
  expect(response.headers.get("x-robots-tag")).toBe("noindex");
  expect(await response.text()).toBe('<html></html><script id="colour-scheme">scheme</script>');
  // A program gets the sentence of the app itself.
  expect(await (await get("/product/broken")).text()).not.toContain("<");
});

describe("compression", () => {
  test("a page, by what the browser accepts", async () => {
    const zipped = await get("/", { "accept-encoding": "gzip" });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect((await get("/", { "accept-encoding": "gzip, br" })).headers.get("content-encoding")).toBe("br");
    expect((await get("/")).headers.get("content-encoding")).toBeNull();
  });
  test("a file, from its compressed form, for ever", async () => {
    const response = await get("/assets/a.js", { "accept-encoding": "gzip" });
    expect(await response.text()).toBe("zipped");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(await (await get("/assets/a.js")).text()).toBe("plain");
  });
});

test("a file that is not there is no page", async () => {
  expect((await get("/assets/none.js")).status).toBe(404);
  expect(await (await get("/favicon.svg")).text()).toBe("<svg/>");
});
