import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Context } from "hono";
import { firstSightMark } from "#domain/first-sight.ts";
import { escapeJson } from "./escape-html.ts";
import { type Encoding, encodingFor, headersFor, pageHandler } from "./page-answer.ts";
import { notIndexed, withHead } from "./page-head.ts";

/**
 * What an address shows before the application runs: tags for its head, `ahead` of everything that the page fetches or
 * beside its own, and markup for the place that the built page has for it. Beside it stands for the application the JSON of what it would ask first, with the server's clock when
 * all this was made, in milliseconds since 1970; it is sent at most `heldFor` milliseconds later. The same object is the
 * same page, written and compressed once.
 */
export type Sight = {
  ahead: string;
  tags: string;
  markup: string;
  answer: string;
  at: number;
  heldFor: number;
};

/** `missing`: there is nothing at this address, though the map knows its form; null: nothing is known of it. */
export type SightOf = (path: string, search: string) => Promise<Sight | "missing" | null>;

const place = new RegExp(`(<div ${firstSightMark}=""[^>]*>)(</div>)`);
/** Before that browsers can't tell which width of a picture fits. */
const headBegins = '<meta name="viewport" content="width=device-width, initial-scale=1"/>';
export const hasPlace = (html: string): boolean => place.test(html);

const told = ({ answer, at, heldFor }: Sight) =>
  `<script type="application/json" data-at="${at}" data-held-for="${heldFor}">${escapeJson(answer)}</script>`;

function filled(html: string, sight: Sight): string {
  const inside = sight.markup + told(sight);
  return withHead(html, sight.tags)
    .replace(headBegins, () => headBegins + sight.ahead)
    .replace(place, (_all, opening: string, closing: string) => opening + inside + closing);
}

/** Quick rather than small, about a millisecond: it is written for the answers of a moment. */
const compress: Record<Encoding, (text: string) => Buffer> = {
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text) => gzipSync(text, { level: 4 }),
};

/** A built page with a place for what its addresses show first; `shell` is what a missing one answers. */
export function filledPage(html: string, shell: string, sightOf: SightOf) {
  const plain = pageHandler(html, {});
  const missing = pageHandler(withHead(shell, notIndexed), { status: 404, forSearch: false });
  // What is filled in brings no script that runs, so the policy of the page is right for it too.
  const headers = headersFor(html);
  const written = new WeakMap<Sight, Map<Encoding | null, string | Uint8Array<ArrayBuffer>>>();

  function bodyOf(sight: Sight, encoding: Encoding | null) {
    const forms = written.get(sight) ?? new Map<Encoding | null, string | Uint8Array<ArrayBuffer>>();
    written.set(sight, forms);
    const known = forms.get(encoding);
    if (known !== undefined) return known;
    const text = filled(html, sight);
    const body = encoding === null ? text : new Uint8Array(compress[encoding](text));
    forms.set(encoding, body);
    return body;
  }

  return async (c: Context) => {
    const sight = await sightOf(c.req.path, new URL(c.req.url).search);
    if (sight === null) return plain(c);
    if (sight === "missing") return missing(c);
    const encoding = encodingFor(c);
    const body = bodyOf(sight, encoding);
    return c.body(body, 200, { ...headers, ...(encoding && { "content-encoding": encoding }) });
  };
}
