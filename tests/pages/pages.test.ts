import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildPages } from "#scripts/build.ts";
import { serveBuild } from "#server/pages.ts";
import { product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const variables = {
  BASE_URL: "https://study.example",
  CONTACT_EMAIL: "help@study.example",
  PROGRAM_SEARCH_URL: "https://search.example/</script><script>alert(1)</script>?q={query}",
};
let w: Wayfare;
let seller: Person;
let samples: string[];
beforeAll(async () => {
  buildPages();
  w = await wayfare({ variables });
  samples = await serveBuild(w.app, "build", w.services);
  seller = await person(w, "student", "active");
}, 300_000);
afterAll(() => w.stop());

const get = (path: string, headers: Record<string, string> = {}) => w.app.request(path, { headers });
const textOf = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text();
const headlineOf = (html: string) => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1];

test.each(["/", "/login", "/nothing", "/about-us.data"])(
  "%s has the headers of every other answer",
  async (path) => {
    const others = Object.fromEntries((await get("/healthz")).headers);
    for (const own of ["content-type", "content-security-policy", "x-request-id"]) delete others[own];
    expect(Object.keys(others).length).toBeGreaterThan(8);
    const { headers } = await get(path);
    expect(Object.fromEntries(headers)).toMatchObject(others);
    expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    expect(Number(headers.get("server-timing")?.replace("sent;dur=", ""))).toBeLessThanOrEqual(Date.now());
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  },
);

describe("an address", () => {
  test.each([
    ["/about-us", 200, "About Us"],
    ["/about-us?utm_source=x", 200, "About Us"],
    ["/login?next=/my-bids", 200, "Welcome back"],
    ["/product", 404, "Page not found"],
    ["/nothing", 404, "Page not found"],
    ["/index.html", 404, "Page not found"],
    ["/server/index.js", 404, "Page not found"],
    ["/assets/../../package.json", 404, "Page not found"],
  ])("%s answers %i with %s", async (path, status, headline) => {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(headlineOf(await response.text())).toBe(headline);
  });

  test.each(["/assets/%2e%2e/%2e%2e/package.json", "/assets/..%2f..%2fpackage.json", "/%2e%2e/package.json"])(
    "%s does not lead out of the pages",
    async (path) => {
      expect(await textOf(path)).not.toContain('"private": true');
    },
  );

  test.each([
    ["/about-us/", "/about-us"],
    ["/About-Us?utm_source=x", "/about-us?utm_source=x"],
    ["/%6deet-the-team", "/meet-the-team"],
    ["/m%65et-the-te%61m", "/meet-the-team"],
    ["/%61uctions.data?_routes=root", "/auctions.data?_routes=root"],
    ["/product/%61b", "/product/ab"],
    ["/product/a%2fb", "/product/a%2Fb"],
    ["/product/%zz", "/product/%25zz"],
  ])("%s is a variant of %s, and redirects there", async (variant, canonical) => {
    const response = await get(variant);
    expect([response.status, response.headers.get("location")]).toEqual([301, canonical]);
    expect((await get(canonical)).status).not.toBe(301);
  });

  test("of a missing file gets no page", async () => {
    expect((await get("/assets/none.js")).status).toBe(404);
    expect(await textOf("/icon.svg")).toContain("<svg");
    const icon = await get("/favicon.ico");
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    expect((await icon.arrayBuffer()).byteLength).toBeLessThan(2_000);
  });
});

test("the data URL of an unknown screen answers data, not HTML", async () => {
  const [html, data] = await Promise.all([get("/nothing"), get("/nothing.data")]);
  expect(html.headers.get("content-type")).toContain("text/html");
  expect(data.headers.get("content-type")).not.toContain("text/html");
});

describe("public HTML is the same for everyone", () => {
  test("visitors and members get the same, without any of their details", async () => {
    const id = await product(w, seller);
    const cookie = seller.caller.cookie;
    for (const path of ["/", "/auctions", `/product/${id}`, "/terms"]) {
      const [visitors, members] = await Promise.all([textOf(path), textOf(path, { cookie })]);
      expect(members, path).toBe(visitors);
      expect(members, path).not.toContain(seller.email);
    }
  });

  test("an unknown query does not change the page", async () => {
    const [plain, other] = await Promise.all([textOf("/terms"), textOf("/terms?x=1&y=</script>")]);
    expect(other).toBe(plain);
  });

  test("the token of a mailed link is in no page", async () => {
    const html = await textOf("/reset-password?token=secret-token");
    expect(html).not.toContain("secret-token");
    expect(headlineOf(html)).toBe("Your password");
    expect(headlineOf(await textOf("/reset-password"))).toBe("Reset your password");
  });

  test("areas check access before anything is rendered, and are sent as a shell", async () => {
    const to = async (path: string, who?: Person) => {
      const response = await get(path, who ? { cookie: who.caller.cookie } : {});
      return response.status === 302 ? response.headers.get("location") : response.status;
    };
    const agent = await person(w, "agent", "approved");
    expect(await to("/my-bids?x=1")).toBe("/login?next=%2Fmy-bids%3Fx%3D1");
    expect(await to("/my-bids", seller)).toBe(200);
    expect(await to("/agent-dashboard", seller)).toBe("/student-dashboard");
    expect(await to("/login", seller)).toBe("/student-dashboard");
    expect(await to("/login?next=/auctions", seller)).toBe("/auctions");
    expect(await to("/login?next=//evil.example", seller)).toBe("/student-dashboard");
    expect(await to("/manage-students", agent)).toBe(200);
    // The page says so and redirects.
    expect(await to("/admin-dashboard", agent)).toBe(200);
    const shell = await textOf("/student-dashboard", { cookie: seller.caller.cookie });
    expect(shell).toContain("<title>Student dashboard · Wayfare</title>");
    expect(shell).not.toContain(seller.email);
  });
});

describe("a page that can't be rendered", () => {
  test("says so with the id of the request, which the log has too", async () => {
    const id = await product(w, seller);
    const state = await w.services.products.read(id);
    if (!state) throw new Error("there is no such product");
    // This time is a whole number, but no valid date.
    const broken = { ...state, endDate: Number.MAX_SAFE_INTEGER };
    const read = vi.spyOn(w.services.products, "read").mockResolvedValue(broken);
    const response = await get(`/product/${id}`);
    read.mockRestore();
    const requestId = response.headers.get("x-request-id") ?? "none";
    expect(response.status).toBe(500);
    const html = await response.text();
    expect(headlineOf(html)).toBe("Something went wrong");
    expect(html).toContain(`quote this number: <code id="failed-request">${requestId}</code>`);
    expect(w.log.find((line) => line.requestId === requestId)).toMatchObject({
      level: 50,
      msg: "a page could not be made",
    });
  });

  test("is the only page with the id of its request", async () => {
    for (const path of ["/terms?fresh", "/auctions", "/no/such/page"]) {
      const response = await get(path);
      expect(await response.text(), path).not.toContain(response.headers.get("x-request-id"));
    }
  });
});

test("a page contains its configuration, which can't close its element", async () => {
  const json = /id="configuration"[^>]*>(.*?)<\/script>/.exec(await textOf("/login"))?.[1] ?? "";
  expect(JSON.parse(json)).toMatchObject({
    baseUrl: variables.BASE_URL,
    contactEmail: variables.CONTACT_EMAIL,
    programSearchUrl: variables.PROGRAM_SEARCH_URL,
  });
});

test("a page contains no inline style that its policy does not allow", async () => {
  for (const path of ["/", "/auctions", "/login", "/explore", "/no-such-page"]) {
    const response = await get(path);
    const html = await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default");
    expect(policy).not.toMatch(/unsafe-(inline|eval)|https?:|\*/);
    const nonce = /style-src 'self' 'nonce-([^']+)';/.exec(policy)?.[1] ?? "none";
    for (const [, attributes] of html.matchAll(/<style([^>]*)>/g))
      expect(attributes).toBe(` nonce="${nonce}"`);
    const allowed = /style-src-attr ([^;]*);/.exec(policy)?.[1] ?? "";
    const inAttributes = [...html.matchAll(/ style="([^"]*)"/g)].map(([, style = ""]) => style);
    for (const style of inAttributes) {
      // The browser hashes the attribute's value, not its escaped form.
      expect(style).not.toContain("&");
      expect(allowed).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    }
    if (inAttributes.length === 0) expect(allowed).toBe("'none'");
  }
});

test("every inline script has the nonce of the policy, which differs for each page", async () => {
  const nonces = new Set<string>();
  for (const path of ["/", "/auctions", "/login", "/no-such-page"]) {
    const response = await get(path);
    const html = await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'self' 'nonce-([^']+)';/.exec(policy)?.[1] ?? "none";
    nonces.add(nonce);
    const inline = [...html.matchAll(/<script(?![^>]* src=)([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(inline.length).toBeGreaterThan(3);
    for (const attributes of inline)
      expect(attributes).toMatch(
        new RegExp(`nonce="${RegExp.escape(nonce)}"|type="application/(ld\\+)?json"`),
      );
  }
  expect(nonces.size).toBe(4);
});

test("a page is painted in its own styles before its application is requested", async () => {
  await product(w, seller);
  for (const path of ["/", "/auctions", "/login", "/no-such-page"]) {
    const html = await textOf(path);
    expect(html, path).not.toContain('rel="modulepreload"');
    expect(html, path).toContain('<script nonce="');
    expect(html, path).toContain(`type="text/later"`);
    const styles = [...html.matchAll(/<style nonce="[^"]*">(.*?)<\/style>/gs)]
      .map(([, style]) => style)
      .join("");
    const body = html.slice(html.indexOf("<body"));
    const classes = [...body.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = ""]) => names.split(" "));
    const modules = [...new Set(classes)].filter((name) => name.startsWith("_"));
    expect(modules.length).toBeGreaterThan(5);
    for (const name of modules) expect(styles, `${path} ${name}`).toContain(`.${name}`);
  }
});

test("a page starts requesting members' code before its styles", async () => {
  const html = await textOf("/auctions");
  const members = html.indexOf('if ("hint" in document.documentElement.dataset) for (const link of');
  expect(html.lastIndexOf('<link rel="later"')).toBeLessThan(members);
  expect(members).toBeLessThan(html.indexOf("<style"));
});

test("without the database a page is sent without data, which its browser requests", async () => {
  const id = await product(w, seller);
  const cut = await wayfare({ on: w.address, variables });
  await serveBuild(cut.app, "build", cut.services);
  await cut.services.database.close();
  for (const [path, waits] of [
    ["/auctions", "Loading auctions"],
    [`/product/${id}`, "Loading the product"],
  ] as const) {
    const response = await cut.app.request(path);
    expect(response.status, path).toBe(200);
    expect(await response.text(), path).toContain(waits);
  }
  await cut.stop().catch(() => {});
});

test("search engines may index the public pages and no others", async () => {
  const map = await get("/sitemap.xml");
  expect(map.headers.get("content-type")).toContain("application/xml");
  const addresses = [...(await map.text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    const response = await get(address);
    expect(response.status, address).toBe(200);
    expect(response.headers.get("x-robots-tag"), address).toBeNull();
    expect(await response.text(), address).not.toContain('content="noindex"');
  }
  expect(await textOf("/robots.txt")).toContain("Sitemap: https://study.example/sitemap.xml");
  const cookie = seller.caller.cookie;
  for (const [path, headers] of [
    ["/my-bids", { cookie }],
    ["/nothing", {}],
    ["/reset-password?token=mailed", {}],
  ] as const)
    expect((await get(path, headers)).headers.get("x-robots-tag"), path).toBe("noindex");
});

test("the files that still contain samples are known", () => {
  expect(samples).toContain("team.ts");
});

describe("compression", () => {
  test("of a page, for clients that accept it", async () => {
    const short = await get("/", { "accept-encoding": "gzip, br" });
    expect(short.headers.get("content-encoding")).toBe("br");
    expect(short.headers.get("vary")).toBe("accept-encoding");
    expect(brotliDecompressSync(await short.arrayBuffer()).toString()).toContain("<h1");
    expect((await get("/")).headers.get("content-encoding")).toBeNull();
  });

  test("of a file, from its compressed form, cached for ever", async () => {
    const [, file = ""] = /rel="later" href="([^"]+)"/.exec(await textOf("/")) ?? [];
    const response = await get(file, { "accept-encoding": "gzip" });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("cache-control")).toContain("immutable");
  });
});
