import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Context } from "hono";

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

export type Encoding = "br" | "gzip";
const accepts = (c: Context, encoding: Encoding): boolean =>
  (c.req.header("accept-encoding") ?? "").includes(encoding);
/** The best of the encodings that a browser accepts, or none. */
export const encodingFor = (c: Context): Encoding | null =>
  (["br", "gzip"] as const).find((encoding) => accepts(c, encoding)) ?? null;

export const headersFor = (html: string) => ({
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
export function pageHandler(html: string, { status = 200, forSearch = true }: PageKind) {
  const forms = new Map<Encoding, Uint8Array<ArrayBuffer>>();
  function formOf(encoding: Encoding) {
    const form = forms.get(encoding) ?? new Uint8Array(compress[encoding](html));
    forms.set(encoding, form);
    return form;
  }
  const ownHeaders = headersFor(html);
  return (c: Context) => {
    // An address with a token is somebody's mailed link.
    const isHidden = !forSearch || c.req.query("token") !== undefined;
    const headers = { ...ownHeaders, ...(isHidden && { "x-robots-tag": "noindex" }) };
    const encoding = encodingFor(c);
    if (encoding === null) return c.body(html, status, headers);
    return c.body(formOf(encoding), status, { ...headers, "content-encoding": encoding });
  };
}
