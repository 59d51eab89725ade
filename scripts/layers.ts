import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "oxc-parser";

/** What each layer may import from besides itself; see the map of folders in README.md. */
const below: Record<string, readonly string[]> = {
  domain: [],
  contract: ["domain"],
  server: ["domain", "contract"],
  web: ["domain", "contract"],
  scripts: ["domain", "contract", "server"],
  tests: ["domain", "contract", "server", "scripts"],
  bench: ["domain", "contract", "server", "scripts", "tests"],
};
const testLibraries = new Set(["fast-check", "vitest"]);

type Import = { to: string; isType: boolean };

function importsOf(file: string, source: string): Import[] {
  const { module, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return [
    ...module.staticImports.map((found) => ({
      to: found.moduleRequest.value,
      isType: found.entries.length > 0 && found.entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap((found) =>
      found.entries.flatMap((entry) =>
        entry.moduleRequest ? [{ to: entry.moduleRequest.value, isType: entry.isType }] : [],
      ),
    ),
    ...module.dynamicImports.map((found) => ({
      to: source.slice(found.moduleRequest.start + 1, found.moduleRequest.end - 1),
      isType: false,
    })),
  ];
}

/** The file an import points at, from the root of the repository; null for a package. */
function target(file: string, to: string): string | null {
  if (to.startsWith("#")) return to.slice(1);
  return to.startsWith(".") ? posix.join(posix.dirname(file), to) : null;
}

/** Why this import may not stand in this file, or null. A test beside the source may use the helpers of tests/. */
export function objection(file: string, { to, isType }: Import): string | null {
  const layer = file.split("/", 1)[0] ?? "";
  const isTest = /\.test\.tsx?$/.test(file);
  const at = target(file, to);
  if (at === null) {
    const allowed = layer !== "domain" || (isTest && testLibraries.has(to));
    return allowed ? null : `${file} → ${to}: domain is pure`;
  }
  const other = at.split("/", 1)[0] ?? "";
  const reachable =
    other === layer ||
    below[layer]?.includes(other) ||
    (isTest && layer !== "domain" && other === "tests") ||
    // The consultancy changes its words: tests expect what stands there.
    (layer === "tests" && at.startsWith("web/content/"));
  if (!reachable) return `${file} → ${to}: ${layer} may not import ${other}`;
  if (layer === "web" && other === "contract" && !isType)
    return `${file} → ${to}: web takes only types from contract`;
  if (file.startsWith("server/platform/") && !isTest && at.startsWith("server/features/"))
    return `${file} → ${to}: platform knows no feature`;
  return null;
}

/** Every import that breaks the layers below `root`. */
export function violations(root = "."): string[] {
  return Object.keys(below).flatMap((layer) =>
    readdirSync(`${root}/${layer}`, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const file = `${layer}/${name}`;
        return importsOf(file, readFileSync(`${root}/${file}`, "utf8")).flatMap(
          (found) => objection(file, found) ?? [],
        );
      }),
  );
}
