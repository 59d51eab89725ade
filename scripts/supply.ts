import { readFile } from "node:fs/promises";
import { z } from "zod";
import { run } from "./checks.ts";

/** Licences that let us ship Wayfare as it is. LGPL: libvips, which we load and do not change. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "CC-BY-4.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Packages that state their licence unusually: MIT in a separate file, and "MPL 2.0". */
const readByHand = new Set([
  "node_modules/busboy",
  "node_modules/streamsearch",
  "node_modules/incremental-encoder",
]);

export const locks = ["package-lock.json", "tools/on-demand/package-lock.json"];

const entry = z.object({ license: z.string().optional(), link: z.boolean().default(false) });
const lock = z.object({ packages: z.record(z.string(), entry) });

/**
 * Lists packages of a package-lock.json with no licence, or one that nobody has checked, each as `name: licence`. Those
 * outside of node_modules are ours.
 */
export function unknownLicences(packageLock: string): string[] {
  const { packages } = lock.parse(JSON.parse(packageLock));
  return Object.entries(packages).flatMap(([path, { license = "none", link }]) => {
    const parts = license.replaceAll(/[()]/g, "").split(/ (?:AND|OR) /);
    return link ||
      !path.includes("node_modules/") ||
      readByHand.has(path) ||
      parts.every((part) => allowed.has(part))
      ? []
      : `${path}: ${license}`;
  });
}

/** `npm run lint:supply`: licences of all dependencies, and known vulnerabilities of those that run in production. */
if (import.meta.main) {
  const unknown = (await Promise.all(locks.map((lock) => readFile(lock, "utf8")))).flatMap(unknownLicences);
  for (const line of unknown) console.log(`Licence not looked at yet: ${line}`);
  const vulnerable = await run("npm", ["audit", "--omit=dev", "--audit-level=high"], { show: true });
  process.exitCode = unknown.length > 0 || vulnerable !== null ? 1 : 0;
}
