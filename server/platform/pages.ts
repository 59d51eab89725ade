import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono, Next } from "hono";
import { z } from "zod";
import { built, configurationElementId, type PageConfiguration } from "#domain/configuration.ts";
import { escapeHtml } from "./escape-html.ts";
import { paintedAtOnce } from "./first-paint.ts";
import { notIndexed, type Preview, previewTags, withHead } from "./page-head.ts";
import { isForSearch, robots, siteMap } from "./site-map.ts";

const names = z.array(z.string());
/**
 * What the build says of itself: every address of web/routes.ts, which of them are ready-made pages, which only
 * members see, and which files of web/content still hold samples.
 */
const builtRoutes = z.object({ routes: names, prerendered: names, ofMembers: names, samples: names });

/** The Content-Security-Policy sources of a page's inline scripts; data blocks are never run and need none. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes]) => !/type="application\/(ld\+)?json"/.test(attributes ?? ""))
    .map(
      ([, , body]) =>
        `'sha256-${createHash("sha256")
          .update(body ?? "")
          .digest("base64")}'`,
    );
  return [...new Set(hashes)];
}

/** Mantine writes `<style>` elements, so styles may be inline; scripts only by hash. */
const policyFor = (html: string) =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...inlineScriptHashes(html)].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Puts the configuration into the places and into the empty element that the build left for it. */
function withConfiguration(html: string, configuration: PageConfiguration): string {
  const json = JSON.stringify(configuration).replaceAll("<", "\\u003c");
  const empty = new RegExp(`(<script[^>]*\\sid="${configurationElementId}"[^>]*>)(</script>)`);
  const placed = html
    .replaceAll(built.baseUrl, () => configuration.baseUrl)
    .replaceAll(built.contactEmail, () => escapeHtml(configuration.contactEmail));
  return placed.replace(empty, (_all, opening: string, closing: string) => `${opening}${json}${closing}`);
}

type Encoding = "br" | "gzip";
const accepts = (c: Context, encoding: Encoding): boolean =>
  (c.req.header("accept-encoding") ?? "").includes(encoding);
/** The best of the encodings that a browser accepts, or none. */
const encodingFor = (c: Context): Encoding | null =>
  (["br", "gzip"] as const).find((encoding) => accepts(c, encoding)) ?? null;

const headersFor = (html: string) => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policyFor(html),
  "cache-control": "no-cache",
  vary: "accept-encoding",
});

type PageKind = { status?: 200 | 404 | 500; forSearch?: boolean };

const compress: Record<Encoding, (html: string) => Buffer> = { br: brotliCompressSync, gzip: gzipSync };

/**
 * A page with its policy, held in memory as it is and compressed: once it is asked for, since all pages together would
 * hold up the start by a second.
 */
function pageHandler(html: string, { status = 200, forSearch = true }: PageKind) {
  const forms = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  function formOf(encoding: Encoding) {
    const form = forms.get(encoding) ?? new Uint8Array(compress[encoding](html));
    forms.set(encoding, form);
    return form;
  }
  const headers = { ...headersFor(html), ...(!forSearch && { "x-robots-tag": "noindex" }) };
  return (c: Context) => {
    const encoding = encodingFor(c);
    if (encoding === null) return c.body(html, status, headers);
    return c.body(formOf(encoding), status, { ...headers, "content-encoding": encoding });
  };
}

/** What a path says of itself; `missing`: there is nothing at it, though the map knows its form; null: nothing special. */
export type PreviewOf = (path: string) => Promise<Preview | "missing" | null>;

/** The application's shell, with the preview of the address in its head. */
function shellHandler(html: string, previewOf: PreviewOf) {
  const plain = pageHandler(html, {});
  const missing = pageHandler(withHead(html, notIndexed), { status: 404, forSearch: false });
  // The tags bring no script, so the policy of the shell is theirs too.
  const headers = headersFor(html);
  return async (c: Context) => {
    const preview = await previewOf(c.req.path);
    if (preview === null) return plain(c);
    if (preview === "missing") return missing(c);
    const body = withHead(html, previewTags(preview));
    if (!accepts(c, "gzip")) return c.body(body, 200, headers);
    // At its quickest: it is written for this one answer.
    return c.body(new Uint8Array(gzipSync(body, { level: 1 })), 200, {
      ...headers,
      "content-encoding": "gzip",
    });
  };
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
 * shell, with what `previewOf` knows of it; any other answers the finished "not found" with status 404. A page that
 * could not be made answers the error page with status 500, to whoever asks for HTML.
 * Returns which files of web/content still hold samples.
 */
export function servePages(
  app: Hono,
  build: string,
  configuration: PageConfiguration,
  previewOf: PreviewOf = async () => null,
): string[] {
  const client = join(build, "client");
  const { routes, prerendered, ofMembers, samples } = builtRoutes.parse(
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
  const ofEveryone = shellHandler(shell, previewOf);
  const ofMembersAlone = pageHandler(shell, { forSearch: false });
  for (const route of routes) {
    const page = readyMade.get(route);
    const own = ofMembers.includes(route) ? ofMembersAlone : ofEveryone;
    app.get(route, page === undefined ? own : pageHandler(page, { forSearch: !ofMembers.includes(route) }));
  }
  app.get("*", pageHandler(read("404/index.html"), { status: 404, forSearch: false }));
  return samples;
}
