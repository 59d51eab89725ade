import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ContractRouterClient } from "@orpc/contract";
import { createRouterClient } from "@orpc/server";
import type { Context, Hono, Next } from "hono";
import { etag } from "hono/etag";
import type { matchRoutes, RouteObject, RouterContextProvider, ServerBuild } from "react-router";
import type { ApiReference } from "#contract/api-reference.ts";
import type { ProductState } from "#contract/auctions.ts";
import type { contract } from "#contract/index.ts";
import { entry, safeNext } from "#domain/area.ts";
import { messageOf } from "#domain/error-catalogue.ts";
import { homePath, securityPath } from "#protocol/addresses.ts";
import { areaOfRoute } from "#protocol/area-route.ts";
import { browserErrorsPath } from "#protocol/browser-errors.ts";
import type { PageConfiguration } from "#protocol/configuration.ts";
import { browserErrorEndpoint } from "#server/endpoints/browser-errors.ts";
import { router } from "#server/features/index.ts";
import { asItIs, type Compressed, compressed, inBrotli, readsBrotli } from "#server/platform/compressed.ts";
import { paintedEarly, styleReader } from "#server/platform/early-paint.ts";
import { once } from "#server/platform/once.ts";
import { quote } from "#server/platform/request-context.ts";
import { createSingleFlightCache } from "#server/platform/single-flight-cache.ts";
import { span } from "#server/platform/tracing.ts";
import type { Services } from "#server/services.ts";

/** What loaders get, as `web/load-context.ts` declares it. */
type OnServer = {
  rpc: ContractRouterClient<typeof contract>;
  product: (id: string) => Promise<ProductState | null>;
  apiReference: () => Promise<ApiReference>;
  nonce: string;
  requestId: string;
  report: (error: unknown) => void;
};
/** What `web/entry.server.tsx` exports beside what React Router asks of it. */
type Entry = {
  createRequestHandler: (
    build: ServerBuild,
  ) => (request: Request, context: RouterContextProvider) => Promise<Response>;
  matchRoutes: typeof matchRoutes;
  RouterContextProvider: new () => RouterContextProvider;
  onServer: Parameters<RouterContextProvider["set"]>[0];
  setConfiguration: (configuration: PageConfiguration) => void;
  samples: () => string[];
};
export type Build = ServerBuild & { entry: { module: Entry } };

/** Milliseconds for which HTML is sent to whoever asks for the same view. */
const keptFor = 1_000;
/** Pages rendered at a time. Each takes some 10 ms of the thread that also decides bids. */
const concurrency = 2;
/** Views that wait to be rendered; more are answered 503. */
const mostWaiting = 60;

/** The public pages that search engines may show, as `sitemap.xml` names them. */
const searchable = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/about-us",
  "/meet-the-team",
  "/explore",
  "/auctions",
  "/grading-guide",
  "/api/docs",
  "/contact",
  "/privacy",
  "/terms",
];

/** What the styles that stand in attributes are allowed by: the hash of each. */
function hashesOf(html: string): string {
  const styles = new Set([...html.matchAll(/ style="([^"]*)"/g)].map(([, style = ""]) => style));
  const hashes = [...styles].map(
    (style) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  );
  return hashes.length > 0 ? `'unsafe-hashes' ${hashes.join(" ")}` : "'none'";
}

/** What a page may load and run (docs/security.md, "Headers"). */
const policy = (nonce: string, html: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr ${hashesOf(html)}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");

/** The same for Vite's own scripts and styles, and for its word that something has changed. */
const developmentPolicy = (nonce: string) =>
  `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:; base-uri 'none'; frame-ancestors 'none'`;

const cached = (cacheControl: string) => async (c: Context, next: Next) => {
  await next();
  if (c.res.ok) c.res.headers.set("cache-control", cacheControl);
};

/** Serves the files of the build and every page. Returns which files of web/content still hold samples. */
export async function serveBuild(app: Hono, folder: string, services: Services): Promise<string[]> {
  const build: Build = await import(pathToFileURL(join(folder, "server/index.js")).href);
  const client = join(folder, "client");
  const files = serveStatic({ root: client, precompressed: true });
  app.get("/assets/*", cached("public, max-age=31536000, immutable"), files);
  app.get("/assets/*", (c) => c.notFound());
  for (const entry of readdirSync(client, { withFileTypes: true }))
    if (entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      app.get(`/${entry.name}`, etag(), cached("no-cache"), files);
  const known = {
    scripts: new Set(readdirSync(join(client, "assets")).filter((name) => name.endsWith(".js"))),
    build: build.assets.version,
    routeOf: patternIn(build),
  };
  app.post(browserErrorsPath, browserErrorEndpoint(services, known));
  const { baseUrl } = services.environment;
  const xml = { "content-type": "application/xml; charset=utf-8" };
  app.get("/sitemap.xml", (c) => c.body(siteMap(baseUrl, searchable), 200, xml));
  app.get("/robots.txt", (c) => c.text(robots(baseUrl)));
  servePages(app, services, async () => build, styleReader(client));
  return build.entry.module.samples();
}

/** What a screen's `handle` says of its query, as `web/lib/rendered-once.ts` declares it; without that it has none. */
function queryOf(handle: unknown, params: URLSearchParams): string {
  const query: unknown =
    typeof handle === "object" && handle !== null && "query" in handle ? handle.query : null;
  return typeof query === "function" ? String(query(params)) : "";
}

/** The map of URLs as React Router matches it. */
function treeOf(routes: ServerBuild["routes"], parentId?: string): RouteObject[] {
  const below = Object.values(routes).flatMap((route) => (route?.parentId === parentId ? (route ?? []) : []));
  return below.map(({ id, path = "", module: { handle } }) => {
    const children = treeOf(routes, id);
    // A layout has no path of its own; the home page is the empty one.
    return children.length > 0 && path === "" ? { id, handle, children } : { id, path, handle, children };
  });
}

/** Finds the pattern that a path fits in the map of URLs. */
function patternIn(build: Build): (path: string) => string {
  const routes = treeOf(build.routes)[0]?.children ?? [];
  return (path) => `/${build.entry.module.matchRoutes(routes, path)?.at(-1)?.route.path}`;
}

type Page = Compressed & { status: number; headers: Headers };

/**
 * Serves every page. HTML is the same for everyone: nothing in it depends on who asks, one view is rendered at most once
 * a second, and a visitor who may not enter an area is sent elsewhere before. `load` gives the application anew in
 * development, where pages link to their styles (`styleOf` null).
 */
export function servePages(
  app: Hono,
  services: Services,
  load: () => Promise<Build>,
  styleOf: ((address: string) => string) | null,
): void {
  const { sessions, environment, products, log } = services;
  const { passwordMinLength, contactEmail, baseUrl, programSearchUrl } = environment;
  const apiReference = once(async () => {
    const [{ openApiDocument }, { referenceOf }] = await Promise.all([
      import("./endpoints/api/document.ts"),
      import("./endpoints/api/reference.ts"),
    ]);
    return referenceOf(await openApiDocument(baseUrl), baseUrl);
  });
  const cache = createSingleFlightCache<Page>(keptFor, concurrency);

  let last:
    | { build: Build; routes: RouteObject[]; handle: ReturnType<Entry["createRequestHandler"]> }
    | undefined;
  function applicationOf(build: Build) {
    if (last?.build === build) return last;
    const entry = build.entry.module;
    entry.setConfiguration({ passwordMinLength, contactEmail, baseUrl, programSearchUrl });
    last = {
      build,
      routes: treeOf(build.routes)[0]?.children ?? [],
      handle: entry.createRequestHandler(build),
    };
    return last;
  }

  /** A page that fails carries the id of the request that had it rendered, as its line of the log does. */
  async function render(
    { build, handle }: NonNullable<typeof last>,
    url: URL,
    requestId: string,
  ): Promise<Page> {
    const nonce = randomBytes(16).toString("base64");
    const { onServer, RouterContextProvider } = build.entry.module;
    const known: OnServer = {
      rpc: createRouterClient(router, {
        context: { services, session: null, cookies: null, address: "", userAgent: null },
        interceptors: [({ next, path }) => span(`procedure ${path.join(".")}`, {}, () => next())],
      }),
      product: (id) => products.read(id),
      apiReference,
      nonce,
      requestId,
      report: (error) => log.error({ err: error }, "a page could not be made"),
    };
    const context = new RouterContextProvider();
    context.set(onServer, known);
    const response = await handle(new Request(url), context);
    const { status, headers } = response;
    const isHtml = headers.get("content-type")?.startsWith("text/html") ?? false;
    headers.set("cache-control", "no-cache");
    // Nothing but a word is left when even the error page fails.
    const isLastResort = status === 500 && !isHtml && !url.pathname.endsWith(".data");
    const body = isLastResort ? `${messageOf.internal}\n${quote(requestId)}` : await response.text();
    const text = isHtml && styleOf ? paintedEarly(body, nonce, styleOf) : body;
    if (isHtml)
      headers.set("content-security-policy", styleOf ? policy(nonce, text) : developmentPolicy(nonce));
    return { status, headers, ...(await compressed(text)) };
  }

  app.get("*", async (c) => {
    const application = applicationOf(await load());
    const requestId = c.get("requestId");
    const url = new URL(c.req.url);
    const isData = url.pathname.endsWith(".data");
    const path = isData ? url.pathname.replace(/(^\/_root|)\.data$/, "") || "/" : url.pathname;
    const matches = application.build.entry.module.matchRoutes(application.routes, path) ?? [];
    const screen = matches.at(-1)?.route;
    c.set("route", isData ? `/${screen?.path}.data` : `/${screen?.path}`);

    const area = matches.flatMap(({ route }) => areaOfRoute(route.id ?? "") ?? []).at(0);
    if (area !== undefined && !isData) {
      const session = await sessions.checkAny(c.req.header("cookie") ?? null);
      const decision = entry(area, session);
      if (decision === "secure") return c.redirect(securityPath);
      if (decision === "login") return c.redirect(`/login?next=${encodeURIComponent(path + url.search)}`);
      if (decision === "home" && session)
        return c.redirect(
          (area === "visitor" ? safeNext(url.searchParams.get("next")) : null) ?? homePath(session),
        );
    }

    const view = new URL(url.pathname, url);
    view.search = queryOf(screen?.handle, url.searchParams);
    const part = url.searchParams.get("_routes");
    if (isData && part !== null && part.split(",").every((id) => application.build.routes[id]))
      view.searchParams.set("_routes", part);
    // Whatever is not there looks the same.
    const missing = isData ? "*.data" : "*";
    const key = (screen?.path === "*" ? missing : view.pathname.toLowerCase()) + view.search;
    if (!cache.has(key) && cache.waiting() >= mostWaiting)
      return c.text(`Wayfare is very busy. Please try again in a moment.\n${quote(requestId)}`, 503, {
        "retry-after": "2",
      });
    const page = await cache.get(key, () =>
      span("page", { attributes: { "http.route": c.get("route") } }, () =>
        render(application, view, requestId),
      ),
    );
    const headers = new Headers(page.headers);
    const isHidden =
      (area !== undefined && area !== "visitor") || page.status !== 200 || url.searchParams.has("token");
    if (isHidden) headers.set("x-robots-tag", "noindex");
    const isBrotli = readsBrotli(c);
    for (const [name, value] of Object.entries(isBrotli ? inBrotli : asItIs)) headers.set(name, value);
    return new Response(isBrotli ? page.brotli : page.text, { status: page.status, headers });
  });
}

/** `sitemap.xml`: the public pages, by their absolute addresses. */
function siteMap(baseUrl: string, paths: readonly string[]): string {
  const entries = paths.map((path) => `  <url><loc>${baseUrl}${path}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>\n",
  ].join("\n");
}

/** `robots.txt`: pages may be read, what programs ask for need not be. */
const robots = (baseUrl: string): string =>
  ["User-agent: *", "Disallow: /rpc/", "Disallow: /live", "", `Sitemap: ${baseUrl}/sitemap.xml\n`].join("\n");
