import { readFileSync } from "node:fs";
import { type Import, importsOf, isTest, modulesIn, target } from "./imports.ts";

/** The layers that each layer may import besides itself; see the map in README.md. */
const below: Record<string, readonly string[]> = {
  domain: [],
  protocol: ["domain"],
  contract: ["domain", "protocol"],
  server: ["domain", "protocol", "contract"],
  web: ["domain", "protocol", "contract"],
  scripts: ["domain", "protocol", "contract", "server"],
  demo: ["domain", "protocol", "contract", "server", "scripts"],
  tests: ["domain", "protocol", "contract", "server", "scripts", "demo"],
  bench: ["domain", "protocol", "contract", "server", "scripts", "tests"],
};
/** Layers that server and browser both run: no library, no I/O. */
const plain = new Set(["domain", "protocol"]);
const testLibraries = new Set(["fast-check", "vitest"]);

/**
 * Returns why this import may not stand in this file, or null. A test beside the source may use the helpers of tests/.
 */
export function objection(file: string, { to, isType }: Import): string | null {
  const layer = file.split("/", 1)[0] ?? "";
  const ofTest = isTest(file);
  const at = target(file, to);
  if (at === null) {
    const allowed = !plain.has(layer) || (ofTest && testLibraries.has(to));
    return allowed ? null : `${file} → ${to}: ${layer} takes no library`;
  }
  const other = at.split("/", 1)[0] ?? "";
  const reachable =
    other === layer ||
    below[layer]?.includes(other) ||
    (ofTest && !plain.has(layer) && other === "tests") ||
    // The consultancy changes its texts, so tests read them from there.
    (layer === "tests" && at.startsWith("web/content/"));
  if (!reachable) return `${file} → ${to}: ${layer} may not import ${other}`;
  if (layer === "web" && other === "contract" && !isType)
    return `${file} → ${to}: web takes only types from contract`;
  if (file.startsWith("server/platform/") && !ofTest && at.startsWith("server/features/"))
    return `${file} → ${to}: platform knows no feature`;
  return null;
}

type Edge = { file: string; import: Import };

const featureOf = (path: string | null): string | undefined =>
  /^server\/features\/([^/]+)\//.exec(path ?? "")?.[1];

/** Cycles of imports between features of the server, types included and tests left out; each says who imports whom. */
export function cycles(edges: readonly Edge[]): string[] {
  const imports = new Map<string, Map<string, string>>();
  for (const { file, import: found } of edges) {
    const [from, to] = [featureOf(file), featureOf(target(file, found.to))];
    if (from === undefined || to === undefined || from === to || isTest(file)) continue;
    const known = imports.get(from) ?? new Map<string, string>();
    imports.set(from, known.set(to, known.get(to) ?? `${file} → ${found.to}`));
  }
  const found: string[] = [];
  const finished = new Set<string>();
  const visit = (feature: string, path: readonly string[], reasons: readonly string[]) => {
    if (path.includes(feature)) {
      const cycle = [...path.slice(path.indexOf(feature)), feature].join(" → ");
      found.push(`${cycle} is a cycle: ${reasons.slice(path.indexOf(feature)).join(", ")}`);
    } else if (!finished.has(feature)) {
      for (const [to, reason] of imports.get(feature) ?? [])
        visit(to, [...path, feature], [...reasons, reason]);
      finished.add(feature);
    }
  };
  for (const feature of imports.keys()) visit(feature, [], []);
  return found;
}

/** Every import that breaks the layers below `root`, and every cycle of features. */
export function violations(root = "."): string[] {
  const edges = Object.keys(below)
    .flatMap((layer) => modulesIn(layer, root))
    .flatMap((file) =>
      importsOf(file, readFileSync(`${root}/${file}`, "utf8")).map(
        (found): Edge => ({ file, import: found }),
      ),
    );
  return [...edges.flatMap((edge) => objection(edge.file, edge.import) ?? []), ...cycles(edges)];
}
