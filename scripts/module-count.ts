import { readFileSync } from "node:fs";
import { Visitor } from "oxc-parser";
import { isTest, modulesIn, parsed, target } from "./imports.ts";

/**
 * `npm run modules`: how many lines of code there are, and how many of our modules a request runs through.
 *
 * A request runs through a module when a function on its way names a function of it. We begin at the `steps` below,
 * follow every imported value that a step's declaration mentions to its declaration in the other module, and go on from
 * there. So what merely stands beside it in the same module is not followed, but a class counts as a whole, and so do
 * both branches of a condition, and a local name like an imported one. A declaration without a function in it is data,
 * made when its module was loaded.
 *
 * Imports do not show everything: the steps name by hand what is called through `services`, a route or the live stream.
 * Not counted: what draws a screen (elements of JSX), what `import()` loads later, and what happens apart from the
 * request, such as notifying whoever was outbid. A step without a name counts and is not followed: `server/app.ts`
 * leads to all endpoints.
 */
type Step = readonly [file: string, name?: string, part?: string];

const listing: readonly Step[] = [
  ["server/app.ts"],
  ["server/platform/security-headers.ts", "securityHeaders"],
  ["server/pages.ts", "servePages"],
  ["server/rendering/render-thread.ts", "openRenderThread"],
  ["server/rendering/thread.ts"],
  ["server/rendering/render.ts", "createRenderer"],
  ["web/screens/auctions/auctions.tsx", "handle"],
  ["web/root.tsx", "loader"],
  ["web/screens/auctions/auctions.tsx", "loader"],
  ["contract/auctions.ts", "auctions", "list"],
  ["server/features/auctions/catalogue/procedures.ts", "catalogue", "list"],
  ["server/platform/searches.ts", "Searches"],
  ["web/entry.server.tsx", "default"],
];

const bidding: readonly Step[] = [
  ["web/screens/auctions/product/use-bid-form.ts", "useBidForm"],
  ["web/lib/rpc.ts", "rpcLink"],
  ["server/app.ts"],
  ["server/features/account/sessions.ts", "createSessions"],
  ["server/endpoints/rpc.ts", "createRpcHandler"],
  ["contract/auctions.ts", "auctions", "bid"],
  ["server/features/auctions/bidding/procedures.ts", "bidding", "bid"],
  ["server/features/account/limits.ts", "createLimits"],
  ["server/features/auctions/bidding/bid-queues.ts", "BidQueues"],
  ["server/features/auctions/catalogue/product-states.ts", "ProductStates"],
  ["server/platform/live.ts", "createLive"],
  ["server/platform/bus.ts", "createBus"],
  ["web/lib/product-state.ts", "useLiveProduct"],
];

type Range = { start: number; end: number };
type Mention = Range & { name: string };
type Module = {
  imports: Map<string, { file: string; name: string }>;
  declarations: Map<string, Range>;
  functions: Range[];
  properties: Mention[];
  mentions: Mention[];
};

const isInside = (inner: Range, outer: Range) => inner.start >= outer.start && inner.end <= outer.end;

function moduleOf(file: string, source: string): Module {
  const { module, program } = parsed(file, source);
  const imports: Module["imports"] = new Map();
  for (const { moduleRequest, entries } of module.staticImports) {
    const to = target(file, moduleRequest.value);
    if (to === null || !/\.tsx?$/.test(to)) continue;
    for (const { isType, localName, importName } of entries)
      if (!isType) imports.set(localName.value, { file: to, name: importName.name ?? "default" });
  }

  const declarations: Module["declarations"] = new Map();
  const functions: Range[] = [];
  const properties: Mention[] = [];
  const mentions: Mention[] = [];
  const names = new Set<number>();
  let depth = 0;
  const addFunction = ({ start, end }: Range) => void functions.push({ start, end });
  const enter = () => void depth++;
  const leave = () => void depth--;
  const declare = (name: string | undefined, range: Range) => {
    if (name !== undefined && depth === 0) declarations.set(name, range);
  };
  new Visitor({
    FunctionDeclaration(node) {
      declare(node.id?.name, node);
      addFunction(node);
      enter();
    },
    "FunctionDeclaration:exit": leave,
    ClassDeclaration(node) {
      declare(node.id?.name, node);
      addFunction(node);
      enter();
    },
    "ClassDeclaration:exit": leave,
    VariableDeclarator(node) {
      if (node.id.type === "Identifier") declare(node.id.name, node);
      if (node.id.type === "ObjectPattern")
        for (const each of node.id.properties)
          if (each.type === "Property" && each.value.type === "Identifier") declare(each.value.name, node);
      enter();
    },
    "VariableDeclarator:exit": leave,
    ArrowFunctionExpression: addFunction,
    FunctionExpression: addFunction,
    ExportDefaultDeclaration: (node) => declare("default", node),
    MemberExpression(node) {
      if (!node.computed) names.add(node.property.start);
    },
    Property({ key, shorthand, start, end }) {
      if (key.type !== "Identifier") return;
      if (!shorthand) names.add(key.start);
      properties.push({ name: key.name, start, end });
    },
    Identifier: ({ name, start, end }) => void mentions.push({ name, start, end }),
  }).visit(program);
  return {
    imports,
    declarations,
    functions,
    properties,
    mentions: mentions.filter(({ start }) => !names.has(start)),
  };
}

/** Where a module declares a name, or a property of what has it. */
function placeOf({ declarations, properties }: Module, name: string, part?: string): Range | undefined {
  const declaration = declarations.get(name);
  if (!declaration || part === undefined) return declaration;
  // The widest property of that name is the outermost one.
  return properties
    .filter((each) => each.name === part && isInside(each, declaration))
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
}

/** The modules that the steps run through, in the order in which they are met. */
export function reached(steps: readonly Step[], read: (file: string) => string): string[] {
  const modules = new Map<string, Module>();
  const counted = new Set<string>();
  const seen = new Set<string>();

  function moduleAt(file: string): Module {
    const module = modules.get(file) ?? moduleOf(file, read(file));
    modules.set(file, module);
    return module;
  }

  function visit(file: string, name: string, part?: string) {
    const key = [file, name, part].join(" ");
    if (seen.has(key)) return;
    seen.add(key);
    const module = moduleAt(file);
    const range = placeOf(module, name, part);
    if (!range) throw new Error(`${file} declares no ${part ?? name}`);
    if (!module.functions.some((each) => isInside(each, range))) return;
    counted.add(file);
    for (const mention of module.mentions) {
      if (!isInside(mention, range)) continue;
      const imported = module.imports.get(mention.name);
      if (imported) visit(imported.file, imported.name);
      else if (module.declarations.has(mention.name)) visit(file, mention.name);
    }
  }

  for (const [file, name, part] of steps) {
    counted.add(file);
    if (name !== undefined) visit(file, name, part);
  }
  return [...counted];
}

const read = (file: string) => readFileSync(file, "utf8");

export const runsThrough = {
  "GET /auctions": () => reached(listing, read),
  "one bid": () => reached(bidding, read),
};

const layers = ["web", "server", "domain", "contract", "protocol", "scripts"];
const linesOf = (layer: string) =>
  modulesIn(layer)
    .filter((file) => !isTest(file))
    .reduce((sum, file) => sum + read(file).split("\n").length - 1, 0);

function print(withNames: boolean) {
  const lines = layers.map((layer) => [layer, linesOf(layer)] as const);
  for (const [layer, count] of lines) console.log(`${layer.padEnd(10)}${count}`);
  console.log(`${"lines".padEnd(10)}${lines.reduce((sum, [, count]) => sum + count, 0)}\n`);
  for (const [request, modules] of Object.entries(runsThrough)) {
    const files = modules();
    const shares = layers.flatMap((layer) => {
      const count = files.filter((file) => file.startsWith(`${layer}/`)).length;
      return count > 0 ? `${layer} ${count}` : [];
    });
    console.log(`${request}: ${files.length} modules (${shares.join(", ")})`);
    if (withNames) for (const file of files) console.log(`  ${file}`);
  }
}

if (import.meta.main) print(process.argv.includes("--list"));
