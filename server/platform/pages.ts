import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono, Next } from "hono";
import { z } from "zod";
import { built, configurationElementId, type PageConfiguration } from "#domain/configuration.ts";
import { escapeHtml, escapeJson } from "./escape-html.ts";
import { filledPage, hasPlace, type SightOf } from "./filled-page.ts";
import { paintedAtOnce } from "./first-paint.ts";
import { pageHandler } from "./page-answer.ts";
import { isForSearch, robots, siteMap } from "./site-map.ts";

const names = z.array(z.string());
/**
 * What the build says of itself: every address of web/routes.ts, which of them are ready-made pages, which page stands
 * for all addresses of a form, which only members see, and which files of web/content still hold samples.
 */
const builtRoutes = z.object({
  routes: names,
  prerendered: names,
  inPlaceOfForm: z.record(z.string(), z.string()),
  ofMembers: names,
  samples: names,
});

/** Puts the configuration into the places and into the empty element that the build left for it. */
function withConfiguration(html: string, configuration: PageConfiguration): string {
  const json = escapeJson(JSON.stringify(configuration));
  const empty = new RegExp(`(<script[^>]*\\sid="${configurationElementId}"[^>]*>)(</script>)`);
  const placed = html
    .replaceAll(built.baseUrl, () => configuration.baseUrl)
    .replaceAll(built.contactEmail, () => escapeHtml(configuration.contactEmail));
  return placed.replace(empty, (_all, opening: string, closing: string) => `${opening}${json}${closing}`);
}

/** A page that the application does not take over: of its scripts only the colour scheme is left. */
const withoutApplication = (html: string): string =>
  html
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, "")
    .replaceAll(/<script(?![^>]*\sid="colour-scheme")[^>]*>[\s\S]*?<\/script>/g, "");

/** How long a browser may keep what is found. */
const cached = (cacheControl: string) => async (c: Context, next: Next) => {
  await next();
  if (c.res.ok) c.res.headers.set("cache-control", cacheControl);
};

/**
 * Serves the built pages. An address of the application's own map answers its ready-made page or the application's
 * shell, filled with what `sightOf` knows of it; any other answers the finished "not found" with status 404. A page that
 * could not be made answers the error page with status 500, to whoever asks for HTML.
 * Returns which files of web/content still hold samples.
 */
export function servePages(
  app: Hono,
  build: string,
  configuration: PageConfiguration,
  sightOf: SightOf = async () => null,
): string[] {
  const client = join(build, "client");
  const { routes, prerendered, inPlaceOfForm, ofMembers, samples } = builtRoutes.parse(
    JSON.parse(readFileSync(join(build, "routes.json"), "utf8")),
  );
  const textOf = (file: string) => readFileSync(join(client, file), "utf8");
  const read = (file: string) => paintedAtOnce(withConfiguration(textOf(file), configuration), textOf);
  // The build has compressed the files.
  const failed = pageHandler(withoutApplication(read("500/index.html")), { status: 500, forSearch: false });
  app.get("*", async (c, next) => {
    await next();
    if (!c.error || !c.req.header("accept")?.includes("text/html")) return;
    // The app has logged it and answered in a sentence.
    c.res = undefined;
    c.res = failed(c);
  });
  const files = serveStatic({ root: client, precompressed: true });

  app.get("/assets/*", cached("public, max-age=31536000, immutable"), files);
  app.get("/assets/*", (c) => c.notFound());
  for (const entry of readdirSync(client, { withFileTypes: true }))
    if (entry.isFile() && !/\.(html|br|gz)$/.test(entry.name))
      app.get(`/${entry.name}`, cached("no-cache"), files);

  const readyMade = new Map(prerendered.map((route) => [route, read(join(route, "index.html"))]));
  const { baseUrl } = configuration;
  const searched = prerendered.filter((route) => isForSearch(readyMade.get(route) ?? ""));
  app.get("/sitemap.xml", (c) =>
    c.body(siteMap(baseUrl, searched), 200, { "content-type": "application/xml; charset=utf-8" }),
  );
  app.get("/robots.txt", (c) => c.text(robots(baseUrl)));

  const shell = read("__spa-fallback.html");
  for (const route of routes) {
    const forSearch = !ofMembers.includes(route);
    const form = inPlaceOfForm[route];
    const page = readyMade.get(route) ?? (form === undefined ? shell : read(join(form, "index.html")));
    if (form !== undefined && !hasPlace(page))
      throw new Error(`The page of ${route} has no place for what it shows.`);
    app.get(route, hasPlace(page) ? filledPage(page, shell, sightOf) : pageHandler(page, { forSearch }));
  }
  app.get("*", pageHandler(read("404/index.html"), { status: 404, forSearch: false }));
  return samples;
}
