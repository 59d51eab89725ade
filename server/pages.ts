import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono, Next } from "hono";
import { etag } from "hono/etag";
import type { RouteObject, ServerBuild } from "react-router";
import { type Area, entry, safeNext } from "#domain/area.ts";
import { homePath, securityPath } from "#protocol/addresses.ts";
import { areaOfRoute } from "#protocol/area-route.ts";
import { browserErrorsPath } from "#protocol/browser-errors.ts";
import type { PageConfiguration } from "#protocol/configuration.ts";
import { browserErrorEndpoint } from "#server/endpoints/browser-errors.ts";
import { formFor } from "#server/platform/compressed.ts";
import { securityHeaders } from "#server/platform/security-headers.ts";
import { createSingleFlightCache } from "#server/platform/single-flight-cache.ts";
import { quote, span } from "#server/platform/tracing.ts";
import type { Build, Page, Render } from "#server/rendering/render.ts";
import { openRenderThread } from "#server/rendering/render-thread.ts";
import type { Services } from "#server/services.ts";

/** Milliseconds for which HTML is sent to whoever asks for the same view. */
const keptFor = 1_000;
/** Pages that are made at a time: while one waits for its data, another is rendered. */
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

const cached = (cacheControl: string) => async (c: Context, next: Next) => {
  await next();
  if (c.res.ok) c.res.headers.set("cache-control", cacheControl);
};

/** Of a path in the map of URLs: the screen's route, and the area that it is in, if there is one. */
type Place = { screen: RouteObject | undefined; area: Area | undefined };
/** The pages: what they are made of, the map of URLs, and who renders them. */
export type Application = { build: Build; placeOf: (path: string) => Place; render: Render };
export const applicationOf = (build: Build, render: Render): Application => ({
  build,
  placeOf: placesOf(build),
  render,
});

/** Paths whose place is remembered: React Router takes the whole map apart for each that it is asked for. */
const mostPaths = 1_000;

function placesOf({ routes: ofBuild, entry: { module } }: Build): Application["placeOf"] {
  const routes = treeOf(ofBuild)[0]?.children ?? [];
  const places = new Map<string, Place>();
  return (path) => {
    const known = places.get(path);
    if (known) return known;
    const matches = module.matchRoutes(routes, path) ?? [];
    const area = matches.flatMap(({ route }) => areaOfRoute(route.id ?? "") ?? []).at(0);
    const place = { screen: matches.at(-1)?.route, area };
    const [oldest] = places.size < mostPaths ? [] : places.keys();
    if (oldest !== undefined) places.delete(oldest);
    places.set(path, place);
    return place;
  };
}
export const pageConfiguration = ({ environment }: Services): PageConfiguration => {
  const { passwordMinLength, contactEmail, baseUrl, programSearchUrl } = environment;
  return { passwordMinLength, contactEmail, baseUrl, programSearchUrl };
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
  const configuration = pageConfiguration(services);
  const application = applicationOf(build, openRenderThread({ folder, configuration }, services));
  const known = {
    scripts: new Set(readdirSync(join(client, "assets")).filter((name) => name.endsWith(".js"))),
    build: build.assets.version,
    routeOf: (path: string) => `/${application.placeOf(path).screen?.path}`,
  };
  app.post(browserErrorsPath, browserErrorEndpoint(services, known));
  const { baseUrl } = services.environment;
  const xml = { "content-type": "application/xml; charset=utf-8" };
  app.get("/sitemap.xml", (c) => c.body(siteMap(baseUrl, searchable), 200, xml));
  app.get("/robots.txt", (c) => c.text(robots(baseUrl)));
  servePages(app, services, async () => application);
  return build.entry.module.samples();
}

/** What a screen's `handle` says of its query, as `web/lib/page-meta.ts` declares it; without that it has none. */
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

/**
 * Serves every page. HTML is the same for everyone: nothing in it depends on who asks, one view is rendered at most once
 * a second, and a visitor who may not enter an area is sent elsewhere before. `load` gives the application, which in
 * development changes.
 */
export function servePages(app: Hono, services: Services, load: () => Promise<Application>): void {
  const { sessions } = services;
  const cache = createSingleFlightCache<Page>(keptFor, concurrency);
  const security = securityHeaders(services.environment.baseUrl);

  app.get("*", async (c) => {
    const { build, placeOf, render } = await load();
    const requestId = c.get("requestId");
    const url = new URL(c.req.url);
    const isData = url.pathname.endsWith(".data");
    const path = isData ? url.pathname.replace(/(^\/_root|)\.data$/, "") || "/" : url.pathname;
    const { screen, area } = placeOf(path);
    c.set("route", isData ? `/${screen?.path}.data` : `/${screen?.path}`);

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
    if (isData && part !== null && part.split(",").every((id) => build.routes[id]))
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
        render({ url: view.href, requestId }),
      ),
    );
    const isHidden =
      (area !== undefined && area !== "visitor") || page.status !== 200 || url.searchParams.has("token");
    const { body, form } = formFor(c, page);
    const headers = {
      ...security,
      ...page.headers,
      ...form,
      ...(isHidden && { "x-robots-tag": "noindex" }),
      "x-request-id": requestId,
    };
    c.set("hasAllHeaders", true);
    return new Response(body, { status: page.status, headers });
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
