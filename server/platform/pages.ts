import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono } from "hono";
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
export function withConfiguration(html: string, configuration: PageConfiguration): string {
  const json = JSON.stringify(configuration).replaceAll("<", "\\u003c");
  const empty = new RegExp(`(<script[^>]*\\sid="${configurationElementId}"[^>]*>)(</script>)`);
  return html.replace(empty, (_all, opening: string, closing: string) => `${opening}${json}${closing}`);
}

/**
 * Serves the built pages. An address of the application's own map answers its ready-made page or the application's
 * shell; any other answers the shell, which shows "not found", with status 404.
 */
export function servePages(app: Hono, build: string, configuration: PageConfiguration): void {
  const client = join(build, "client");
  const { routes, prerendered } = builtRoutes.parse(
    JSON.parse(readFileSync(join(build, "routes.json"), "utf8")),
  );

  function page(file: string, status: 200 | 404 = 200) {
    const html = withConfiguration(readFileSync(join(client, file), "utf8"), configuration);
    const headers = { "content-security-policy": policyFor(html), "cache-control": "no-cache" };
    return (c: Context) => c.html(html, status, headers);
  }
  const shell = page("__spa-fallback.html");

  const immutable = (_path: string, c: Context) =>
    c.header("cache-control", "public, max-age=31536000, immutable");
  app.use("/assets/*", serveStatic({ root: client, precompressed: true, onFound: immutable }));
  app.get("/assets/*", (c) => c.notFound());

  const readyMade = new Set(prerendered);
  for (const route of routes) app.get(route, readyMade.has(route) ? page(join(route, "index.html")) : shell);

  app.use(
    "*",
    serveStatic({
      root: client,
      precompressed: true,
      onFound: (_path, c) => c.header("cache-control", "no-cache"),
    }),
  );
  app.get("*", page("__spa-fallback.html", 404));
}
