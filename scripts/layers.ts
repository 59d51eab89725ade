import { readFileSync } from "node:fs";
import { type Import, importsOf, isTest, modulesIn, target } from "./imports.ts";

/** The layers that each layer may import besides itself; see README.md's map. A package is imported by its name. */
const below: Record<string, readonly string[]> = {
  "packages/embedded-postgres": [],
  domain: [],
  protocol: ["domain"],
  contract: ["domain", "protocol"],
  server: ["domain", "protocol", "contract"],
  web: ["domain", "protocol", "contract"],
  scripts: ["domain", "protocol", "contract", "server", "tools/import"],
  "tools/import": ["domain", "protocol", "contract", "server"],
  "tools/demo": ["domain", "protocol", "contract", "server", "scripts"],
  tests: ["domain", "protocol", "contract", "server", "scripts", "tools/demo", "tools/import"],
  "tools/bench": ["domain", "protocol", "contract", "server", "scripts", "tests"],
};
/** Every folder with code of ours. */
export const layers: readonly string[] = Object.keys(below);

const layerOf = (path: string): string =>
  layers.find((layer) => path.startsWith(`${layer}/`)) ?? path.split("/", 1)[0] ?? "";

/** Layers that run on both server and browser: no library, no I/O. */
const plain = new Set(["domain", "protocol"]);
const testLibraries = new Set(["fast-check", "vitest"]);

/**
 * Returns why this import is not allowed in this file, or null. A test beside the source may use the helpers of tests/.
 */
export function objection(file: string, { to, isType }: Import): string | null {
  const layer = layerOf(file);
  const isInTest = isTest(file);
  const at = target(file, to);
  if (at === null) {
    const allowed = !plain.has(layer) || (isInTest && testLibraries.has(to));
    return allowed ? null : `${file} → ${to}: ${layer} takes no library`;
  }
  const other = layerOf(at);
  const reachable =
    other === layer ||
    below[layer]?.includes(other) ||
    (isInTest && !plain.has(layer) && other === "tests") ||
    // The consultancy changes its texts, so tests read them from there.
    (layer === "tests" && at.startsWith("web/content/"));
  if (!reachable) return `${file} → ${to}: ${layer} may not import ${other}`;
  if (layer === "web" && other === "contract" && !isType)
    return `${file} → ${to}: web takes only types from contract`;
  if (file.startsWith("server/platform/") && !isInTest && at.startsWith("server/features/"))
    return `${file} → ${to}: platform knows no feature`;
  if (/^web\/(ui|lib)\//.test(file) && !isInTest && /^web\/(screens|frame)\//.test(at))
    return `${file} → ${to}: parts and mechanisms of web know no screen and no frame`;
  return null;
}

type Edge = { file: string; import: Import };

const targetOf = (edge: Edge): string | null => target(edge.file, edge.import.to);

const featureOf = (path: string | null): string | undefined =>
  /^server\/features\/([^/]+)\//.exec(path ?? "")?.[1];

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns a cycle of each group of nodes that reach each other: the nodes in order, and the first one again. */
function cyclesOf(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node]);
    else if (!finished.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node]);
      finished.add(node);
    }
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}

/** Returns cycles of imports between features of the server, types included, tests excluded, with the files. */
export function featureCycles(edges: readonly Edge[]): string[] {
  const graph = new Map<string, Set<string>>();
  const reasons = new Map<string, string>();
  for (const edge of edges) {
    const [from, other] = [featureOf(edge.file), featureOf(targetOf(edge))];
    if (from === undefined || other === undefined || from === other || isTest(edge.file)) continue;
    graph.set(from, (graph.get(from) ?? new Set()).add(other));
    const step = `${from} → ${other}`;
    reasons.set(step, reasons.get(step) ?? `${edge.file} → ${edge.import.to}`);
  }
  return cyclesOf(graph).map((cycle) => {
    const steps = cycle.slice(1).map((feature, at) => reasons.get(`${cycle[at]} → ${feature}`));
    return `${cycle.join(" → ")} is a cycle: ${steps.join(", ")}`;
  });
}

/** Returns the files that each file imports, without tests. */
function fileGraph(edges: readonly Edge[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const edge of edges) {
    const [{ file }, other] = [edge, targetOf(edge)];
    if (other !== null && !isTest(file)) graph.set(file, (graph.get(file) ?? new Set()).add(other));
  }
  return graph;
}

/** Returns the cycles of files that import each other for more than types, also through a lazy import. */
export const fileCycles = (edges: readonly Edge[]): string[] =>
  cyclesOf(fileGraph(edges.filter((edge) => !edge.import.isType))).map(
    (cycle) => `${cycle.join(" → ")} is a cycle`,
  );

function reachableFrom(file: string, graph: Graph): ReadonlySet<string> {
  const targets = new Set(graph.get(file));
  for (const each of targets) for (const next of graph.get(each) ?? []) targets.add(next);
  return targets;
}

/** The most files that may reach each other by imports of values and types. */
const maxKnotSize = 12;

/** Returns the groups of files that reach each other through imports of values and types, the largest first. */
export function knotsOf(edges: readonly Edge[]): string[][] {
  const graph = fileGraph(edges);
  const reach = new Map([...graph.keys()].map((file) => [file, reachableFrom(file, graph)]));
  const knots: string[][] = [];
  const placed = new Set<string>();
  for (const [file, targets] of reach) {
    if (placed.has(file) || !targets.has(file)) continue;
    const knot = [...targets].filter((other) => reach.get(other)?.has(file));
    for (const each of knot) placed.add(each);
    knots.push(knot.toSorted());
  }
  return knots.toSorted((one, other) => other.length - one.length);
}

export const largeKnots = (edges: readonly Edge[]): string[] =>
  knotsOf(edges)
    .filter((knot) => knot.length > maxKnotSize)
    .map((knot) => `${knot.length} files import each other, at most ${maxKnotSize} may: ${knot.join(", ")}`);

/** Lists every import in the folders of all layers below `root`. */
const importsBelow = (root = "."): Edge[] =>
  layers
    .flatMap((layer) => modulesIn(layer, root))
    .flatMap((file) =>
      importsOf(file, readFileSync(`${root}/${file}`, "utf8")).map((each): Edge => ({ file, import: each })),
    );

/** Lists the imports that break the layers below `root`, the cycles of features or files, and knots too large. */
export function violations(root = "."): string[] {
  const edges = importsBelow(root);
  return [
    ...edges.flatMap((edge) => objection(edge.file, edge.import) ?? []),
    ...featureCycles(edges),
    ...fileCycles(edges),
    ...largeKnots(edges),
  ];
}

if (import.meta.main)
  for (const knot of knotsOf(importsBelow())) console.log(`${knot.length} files: ${knot.join(", ")}`);
