import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono, Next } from "hono";
import { etag } from "hono/etag";
import { entry, safeNext } from "#domain/area.ts";
import { homePath, productPath, programmePath, pushWorkerPath, securityPath } from "#protocol/addresses.ts";
import { browserErrorsPath } from "#protocol/browser-errors.ts";
import type { PageConfiguration } from "#protocol/configuration.ts";
import { sentTiming } from "#protocol/page-timing.ts";
import { browserErrorEndpoint } from "#server/endpoints/browser-errors.ts";
import { requestAddress } from "#server/platform/client-address.ts";
import { negotiateEncoding } from "#server/platform/compressed.ts";
import { securityHeaders } from "#server/platform/security-headers.ts";
import { quote, span } from "#server/platform/tracing.ts";
import { Refusal } from "#server/refusal.ts";
import { PageCache } from "#server/rendering/page-cache.ts";
import type { Build, Render } from "#server/rendering/render.ts";
import { openRenderThread } from "#server/rendering/render-thread.ts";
import { createRouteMatcher, type Place } from "#server/rendering/route-match.ts";
import type { Services } from "#server/services.ts";

/** The public pages that search engines may show, as `sitemap.xml` names them. */
const searchable = [
  "/",
  "/login",
  "/signup",
  "/reset-password",
  "/about-us",
  "/meet-the-team",
  "/explore",
  "/programmes",
  "/auctions",
  "/grading-guide",
  "/auction-rules",
  "/api/docs",
  "/contact",
  "/privacy",
  "/terms",
];

const cached = (cacheControl: string) => async (c: Context, next: Next) => {
  await next();
  if (c.res.ok) c.res.headers.set("cache-control", cacheControl);
};

/** The policy of the service worker, which sends requests only to our own server. */
const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

const withWorkerPolicy = async (c: Context, next: Next) => {
  await next();
  c.res.headers.set("content-security-policy", workerPolicy);
};

/** The pages: their build, their map of URLs, and their renderer. */
export type Application = { build: Build; placeOf: (path: string) => Place; render: Render };
export const applicationOf = (build: Build, render: Render): Application => ({
  build,
  placeOf: createRouteMatcher(build),
  render,
});

export const pageConfiguration = ({ environment, pushKeys }: Services): PageConfiguration => {
  const { passwordMinLength, contactEmail, baseUrl, unverifiedBidLimit, bidWithdrawal, programSearchUrl } =
    environment;
  const { publicKey: pushKey } = pushKeys;
  return {
    passwordMinLength,
    contactEmail,
    baseUrl,
    unverifiedBidLimit,
    bidWithdrawal,
    programSearchUrl,
    pushKey,
  };
};

/** Serves the files of the build and every page. Returns the files of web/content that still hold samples. */
export async function serveBuild(app: Hono, folder: string, services: Services): Promise<string[]> {
  const build: Build = await import(pathToFileURL(join(folder, "server/index.js")).href);
  const client = join(folder, "client");
  const files = serveStatic({ root: client, precompressed: true });
  app.get("/assets/*", cached("public, max-age=31536000, immutable"), files);
  app.get("/assets/*", (c) => c.notFound());
  app.get(pushWorkerPath, withWorkerPolicy);
  for (const entry of readdirSync(client, { withFileTypes: true }))
    if (entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      app.get(`/${entry.name}`, etag(), cached("no-cache"), files);
  const configuration = pageConfiguration(services);
  const application = applicationOf(build, openRenderThread({ folder, configuration }, services));
  const pageBuild = {
    scripts: new Set(readdirSync(join(client, "assets")).filter((name) => name.endsWith(".js"))),
    build: build.assets.version,
    routeOf: (path: string) => `/${application.placeOf(path).screen?.path}`,
  };
  app.post(browserErrorsPath, browserErrorEndpoint(services, pageBuild));
  const { baseUrl } = services.environment;
  const xml = { "content-type": "application/xml; charset=utf-8" };
  app.get("/sitemap.xml", (c) => c.body(siteMap(baseUrl, searchable), 200, xml));
  app.get("/sitemap-items.xml", async (c) => {
    const ids = await services.itemsOnSale();
    return c.body(siteMap(baseUrl, ids.map(productPath)), 200, xml);
  });
  app.get("/sitemap-programmes.xml", async (c) => {
    const slugs = await services.programmeSlugs();
    return c.body(siteMap(baseUrl, slugs.map(programmePath)), 200, xml);
  });
  app.get("/robots.txt", (c) => c.text(robots(baseUrl)));
  servePages(app, services, async () => application);
  return build.entry.module.samples();
}

/** Returns the query that a screen's `handle` declares (`web/lib/page-meta.ts`); empty without one. */
function queryOf(handle: unknown, params: URLSearchParams): string {
  const query: unknown =
    typeof handle === "object" && handle !== null && "query" in handle ? handle.query : null;
  return typeof query === "function" ? String(query(params)) : "";
}

/** Returns the requested parts of a page, in a fixed order; null for all of them. */
function partsOf({ routes }: Place, params: URLSearchParams): string | null {
  const routeIds = params.get("_routes")?.split(",") ?? [];
  const parts = routes.filter((id) => routeIds.includes(id));
  return parts.length > 0 ? parts.join(",") : null;
}

/**
 * Serves every page. HTML is the same for everyone: nothing in it depends on the viewer, a view has one address and is
 * rendered at most once a second, and a visitor who may not enter an area is redirected before. `load` returns the
 * application, which changes in development.
 */
export function servePages(app: Hono, services: Services, load: () => Promise<Application>): void {
  const { sessions, environment } = services;
  const addressOf = (c: Context) => requestAddress(c, environment.trustProxy);
  const pages = new PageCache();
  const security = securityHeaders(environment.baseUrl);

  app.get("*", async (c) => {
    const { placeOf, render } = await load();
    const requestId = c.get("requestId");
    const url = new URL(c.req.url);
    const isData = url.pathname.endsWith(".data");
    const requestedPath = isData ? url.pathname.replace(/(^\/_root|)\.data$/, "") || "/" : url.pathname;
    const place = placeOf(requestedPath);
    const { screen, area, path } = place;
    c.set("route", isData ? `/${screen?.path}.data` : `/${screen?.path}`);

    // Every spelling of an address redirects to one, so that no view is rendered twice.
    const spelling = path !== null && isData ? `${path === "/" ? "/_root" : path}.data` : path;
    if (spelling !== null && spelling !== url.pathname) return c.redirect(spelling + url.search, 301);

    if (area !== undefined && !isData) {
      const session = await sessions.checkAny(c.req.header("cookie") ?? null);
      const decision = entry(area, session);
      if (decision === "secure") return c.redirect(securityPath);
      if (decision === "login")
        return c.redirect(`/login?next=${encodeURIComponent(url.pathname + url.search)}`);
      if (decision === "home" && session)
        return c.redirect(
          (area === "visitor" ? safeNext(url.searchParams.get("next")) : null) ?? homePath(session),
        );
    }

    const view = new URL(url.pathname, url);
    view.search = queryOf(screen?.handle, url.searchParams);
    const parts = isData ? partsOf(place, url.searchParams) : null;
    if (parts !== null) view.searchParams.set("_routes", parts);
    // Every missing page gets the same 404.
    const missing = isData ? "*.data" : "*";
    const page = await pages
      .get(addressOf(c), (spelling ?? missing) + view.search, () =>
        span("page", { attributes: { "http.route": c.get("route") } }, () =>
          render({ url: view.href, requestId }),
        ),
      )
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      });
    if (page instanceof Refusal)
      return new Response(`Wayfare is very busy. Please try again in a moment.\n${quote(requestId)}`, {
        status: page.status,
        headers: { "retry-after": "2" },
      });
    const isHidden =
      (area !== undefined && area !== "visitor") || page.status !== 200 || url.searchParams.has("token");
    const { body, form } = negotiateEncoding(c, page);
    const { location } = page.headers;
    const headers = {
      ...security,
      ...page.headers,
      // A loader that redirects doesn't know the whole query.
      ...(location && { location: location + url.search }),
      ...form,
      ...(isHidden && { "x-robots-tag": "noindex" }),
      "x-request-id": requestId,
      "server-timing": `${sentTiming};dur=${Date.now()}`,
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

/** `robots.txt`: pages may be read, paths for programs need not be. */
const robots = (baseUrl: string): string =>
  [
    "User-agent: *",
    "Disallow: /rpc/",
    "Disallow: /live",
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    `Sitemap: ${baseUrl}/sitemap-items.xml`,
    `Sitemap: ${baseUrl}/sitemap-programmes.xml\n`,
  ].join("\n");
