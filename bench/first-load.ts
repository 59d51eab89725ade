import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import type { Figure } from "./measure.ts";

const client = "build/client";
const gzipped = (path: string) => gzipSync(readFileSync(`${client}${path}`)).length;

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

/** The scripts and styles that a first visit of a built page loads. */
function firstLoad(page: string): { path: string; bytes: number }[] {
  const html = readFileSync(`${client}${page}/index.html`, "utf8");
  const named = [...html.matchAll(/["'](\/assets\/[^"']+\.(?:js|css))["']/g)].map(([, path]) => path ?? "");
  const all = named.reduce((seen, path) => withImports(path, seen), new Set<string>());
  return [...all].map((path) => ({ path, bytes: gzipped(path) }));
}

/** Kilobytes (1,000 bytes) of gzip JavaScript and CSS on the first load of /login. */
export async function loginFirstLoad(): Promise<Figure[]> {
  const files = firstLoad("/login");
  const value = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  const detail = `${files.length} files`;
  return [{ name: "first load of /login, KB", value, limit: "at most 175", holds: value <= 175, detail }];
}
