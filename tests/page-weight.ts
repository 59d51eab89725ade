import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const client = "build/client";
/** Bytes of the compressed form that the server sends. */
const gzipped = (path: string) => readFileSync(`${client}${path}.gz`).length;

/** What a module imports before it runs; what it imports later, when needed, does not count. */
const staticImports = (path: string): string[] =>
  [
    ...readFileSync(`${client}${path}`, "utf8").matchAll(
      /(?:^|[;\s}])(?:import|export)\s*(?:[^;"'()]*?from\s*)?["'](\.[^"']+\.js)["']/g,
    ),
  ].map(([, to]) => posix.join(posix.dirname(path), to ?? ""));

function withImports(path: string, seen: Set<string>): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  if (path.endsWith(".js")) for (const next of staticImports(path)) withImports(next, seen);
  return seen;
}

const named = (html: string, ending: string) =>
  [...html.matchAll(new RegExp(`["'](/assets/[^"']+\\.(?:${ending}))#?["']`, "g"))].flatMap(
    ([, path]) => path ?? [],
  );
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

/** What a first visit to a page loads, in kilobytes (1,000 bytes): gzip scripts and styles, and preloaded fonts. */
export type PageWeight = { code: number; fonts: number; files: number; elsewhere: string[] };

/** What a page itself makes the browser load from another origin; addresses that only stand in it load nothing. */
const loads =
  /<(?:script|img|source|iframe)[^>]*\ssrc="([^"]+)"|<link[^>]*\srel="(?:stylesheet|preload|modulepreload|icon|manifest|apple-touch-icon)"[^>]*\shref="([^"]+)"/g;

export function pageWeight(html: string): PageWeight {
  const code = [...named(html, "js|css").reduce((seen, path) => withImports(path, seen), new Set<string>())];
  const fonts = [...new Set(named(html, "woff2"))];
  const loaded = [...html.matchAll(loads)].map(([, source, link]) => source ?? link ?? "");
  return {
    code: sum(code.map(gzipped)) / 1000,
    fonts: sum(fonts.map((path) => readFileSync(`${client}${path}`).length)) / 1000,
    files: code.length,
    // A picture that stands in the page itself is loaded from nowhere.
    elsewhere: loaded.filter(
      (address) => !address.startsWith("data:") && !existsSync(`${client}${address.replace(/#$/, "")}`),
    ),
  };
}
