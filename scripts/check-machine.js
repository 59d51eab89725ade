// This is plain JavaScript, so that it runs under any Node, before anything that needs a new one is read.
import { pathToFileURL } from "node:url";

/**
 * Why Wayfare can't start on this machine, in a sentence that says what to do; null if it can.
 *
 * @param {{ platform: string, arch: string, glibc: boolean, node: string, database: boolean }} machine `glibc`: whether
 * its C library is that one; `node`: the version; `database`: whether DATABASE_URL is set.
 * @returns {string | null}
 */
export function missing({ platform, arch, glibc, node, database }) {
  if (platform === "win32") {
    return "Wayfare doesn't run on Windows itself: use WSL 2, which is Linux, or the image (docs/operations/install.md).";
  }
  const bundled =
    ["x64", "arm64"].includes(arch) && (platform === "darwin" || (platform === "linux" && glibc));
  const major = Number(node.split(".")[0]);
  if (major < 24 || major === 25) {
    const how = bundled && platform === "linux" ? "npm ci brings one: run it again" : "install one";
    return `Wayfare needs Node 24 or 26 and found ${node}: ${how}.`;
  }
  if (bundled || database) return null;
  return (
    "Wayfare brings a PostgreSQL for Linux with glibc and for macOS, on x64 and arm64; here there is none: " +
    "set DATABASE_URL to a PostgreSQL of yours, or use the image (docs/operations/install.md)."
  );
}

function hasGlibc() {
  const report = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header.glibcVersionRuntime !== undefined;
}

function hasDatabase() {
  try {
    process.loadEnvFile?.(".env");
  } catch {
    // The file may be absent.
  }
  return Boolean(process.env["DATABASE_URL"]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { platform, arch, version } = process;
  const glibc = platform === "linux" && hasGlibc();
  const sentence = missing({ platform, arch, glibc, node: version.slice(1), database: hasDatabase() });
  if (sentence !== null) {
    console.error(sentence);
    process.exitCode = 1;
  }
}
