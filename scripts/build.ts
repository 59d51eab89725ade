import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const stamp = "build/stamp";
const folders = ["web", "domain", "protocol", "contract"];
const tracing = ["vite.tracing.config.ts", "server/platform/open-telemetry.ts"];
const files = [
  "scripts/build.ts",
  "package-lock.json",
  "vite.config.ts",
  "react-router.config.ts",
  ...tracing,
];

/** Returns a hash of everything that the built pages depend on. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const inside = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files, ...inside].toSorted())
    hash.update(file).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

function isBuilt(): boolean {
  try {
    return readFileSync(stamp, "utf8") === fingerprint();
  } catch {
    return false;
  }
}

/** Writes two compressed forms beside every file that shrinks, so that the server need not compress. */
function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|svg|json|txt|xml|webmanifest)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}

function run(command: string, ...words: string[]): void {
  const env = { ...process.env, NODE_ENV: "production" };
  // Standard output belongs to the log of the server that may start next.
  const { status } = spawnSync(command, words, { stdio: ["inherit", process.stderr, "inherit"], env });
  if (status !== 0) throw new Error("The pages could not be built.");
}

/** A production install (`npm ci --omit=dev`) lacks this package, and uses the pages that were built before. */
const builder = "node_modules/@react-router/dev";

/** Builds the pages unless they are up to date. The stamp is written last, so that an interrupted build is repeated. */
export function buildPages(): void {
  if (!existsSync(builder) && existsSync(stamp)) return;
  if (!existsSync(builder))
    throw new Error(
      "The pages are not built. Run `npm ci && npm run build` first, then `npm ci --omit=dev`.",
    );
  if (isBuilt()) return;
  console.error("Building the pages …");
  rmSync(stamp, { force: true });
  run("react-router", "build", "--logLevel", "warn");
  run("vite", "build", "--config", "vite.tracing.config.ts", "--logLevel", "warn");
  compressFiles("build/client");
  writeFileSync(stamp, fingerprint());
}

if (import.meta.main) buildPages();
