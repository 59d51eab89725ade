import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono, Next } from "hono";
import { z } from "zod";
import { configurationElementId, type PageConfiguration } from "#domain/configuration.ts";

/** What the build says of itself: every address of web/routes.ts, and which of them are ready-made pages. */
const builtRoutes = z.object({ routes: z.array(z.string()), prerendered: z.array(z.string()) });

/** The Content-Security-Policy sources of a page's inline scripts; data blocks are never run and need none. */
export function inlineScriptHashes(html: string): string[] {
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes]) => !attributes?.includes("application/json"))
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

/** Puts the configuration into the empty element that the build left for it. */
function withConfiguration(html: string, configuration: PageConfiguration): string {
  const json = JSON.stringify(configuration).replaceAll("<", "\\u003c");
  const empty = new RegExp(`(<script[^>]*\\sid="${configurationElementId}"[^>]*>)(</script>)`);
  return html.replace(empty, (_all, opening: string, closing: string) => `${opening}${json}${closing}`);
}

type Encoding = "br" | "gzip";
/** The best of the encodings that a browser accepts, or none. */
const encodingFor = (c: Context): Encoding | null => {
  const accepted = c.req.header("accept-encoding") ?? "";
  return (["br", "gzip"] as const).find((encoding) => accepted.includes(encoding)) ?? null;
};

/** A page, held in memory as it is and compressed, with its policy. */
function pageHandler(html: string, status: 200 | 404) {
  const forms: Record<Encoding, Uint8Array<ArrayBuffer>> = {
    br: new Uint8Array(brotliCompressSync(html)),
    gzip: new Uint8Array(gzipSync(html)),
  };
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policyFor(html),
    "cache-control": "no-cache",
    vary: "accept-encoding",
  };
  return (c: Context) => {
    const encoding = encodingFor(c);
    if (encoding === null) return c.body(html, status, headers);
    return c.body(forms[encoding], status, { ...headers, "content-encoding": encoding });
  };
}

/** How long a browser may keep what is found. */
const cached = (cacheControl: string) => async (c: Context, next: Next) => {
  await next();
  if (c.res.ok) c.res.headers.set("cache-control", cacheControl);
};

/**
 * Serves the built pages. An address of the application's own map answers its ready-made page or the application's
 * shell; any other answers the shell, which shows "not found", with status 404.
 */
export function servePages(app: Hono, build: string, configuration: PageConfiguration): void {
  const client = join(build, "client");
  const { routes, prerendered } = builtRoutes.parse(
    JSON.parse(readFileSync(join(build, "routes.json"), "utf8")),
  );
  const page = (file: string, status: 200 | 404 = 200) =>
    pageHandler(withConfiguration(readFileSync(join(client, file), "utf8"), configuration), status);
  // The build has compressed the files.
  const files = serveStatic({ root: client, precompressed: true });

  app.get("/assets/*", cached("public, max-age=31536000, immutable"), files);
  app.get("/assets/*", (c) => c.notFound());
  for (const entry of readdirSync(client, { withFileTypes: true }))
    if (entry.isFile() && !/\.(html|br|gz)$/.test(entry.name))
      app.get(`/${entry.name}`, cached("no-cache"), files);

  const shell = page("__spa-fallback.html");
  const readyMade = new Set(prerendered);
  for (const route of routes) app.get(route, readyMade.has(route) ? page(join(route, "index.html")) : shell);
  app.get("*", page("__spa-fallback.html", 404));
}
