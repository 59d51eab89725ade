import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const client = "build/client";
/** Returns the size in bytes of a file as the server sends it, compressed. */
const gzipped = (path: string) => readFileSync(`${client}${path}.gz`).length;

/** Returns the static imports of a module. Dynamic imports don't count, because they load later, when needed. */
const staticImports = (path: string): string[] =>
  [
    ...readFileSync(`${client}${path}`, "utf8").matchAll(
      /(?:^|[;\s}])(?:import|export)\s*(?:[^;"'()]*?from\s*)?["'](\.[^"']+\.js)["']/g,
    ),
  ].map(([, to]) => posix.join(posix.dirname(path), to ?? ""));

function withImports(path: string, files: Set<string>): Set<string> {
  if (files.has(path)) return files;
  files.add(path);
  if (path.endsWith(".js")) for (const next of staticImports(path)) withImports(next, files);
  return files;
}

const assets = (html: string, ending: string) =>
  [...html.matchAll(new RegExp(`["'](/assets/[^"']+\\.(?:${ending}))#?["']`, "g"))].flatMap(
    ([, path]) => path ?? [],
  );
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

/**
 * The resources of a first visit to a page, in kilobytes (1,000 bytes): gzipped scripts and styles, and preloaded
 * fonts.
 */
export type PageWeight = { code: number; fonts: number; files: number; elsewhere: string[] };

/** Finds the URLs that a page makes the browser load; URLs in its text load nothing. */
const loads =
  /<(?:script|img|source|iframe)[^>]*\ssrc="([^"]+)"|<link[^>]*\srel="(?:stylesheet|preload|modulepreload|icon|manifest|apple-touch-icon)"[^>]*\shref="([^"]+)"/g;

export function pageWeight(html: string): PageWeight {
  const code = [
    ...assets(html, "js|css").reduce((files, path) => withImports(path, files), new Set<string>()),
  ];
  const fonts = [...new Set(assets(html, "woff2"))];
  const loaded = [...html.matchAll(loads)].map(([, source, link]) => source ?? link ?? "");
  return {
    code: sum(code.map(gzipped)) / 1000,
    fonts: sum(fonts.map((path) => readFileSync(`${client}${path}`).length)) / 1000,
    files: code.length,
    // A data URL loads nothing.
    elsewhere: loaded.filter(
      (address) => !address.startsWith("data:") && !existsSync(`${client}${address.replace(/#$/, "")}`),
    ),
  };
}
