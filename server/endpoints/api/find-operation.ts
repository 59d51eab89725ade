import { type Operation, operations } from "#contract/operations.ts";

type Route = { pattern: RegExp; methods: Map<string, Operation>; parameters: number };

function routesOf(all: readonly Operation[]): readonly Route[] {
  const byPath = Map.groupBy(all, ({ path }) => path);
  const routes = [...byPath].map(([path, of]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    methods: new Map(of.map((operation) => [operation.method, operation])),
    parameters: path.split("{").length,
  }));
  // Fixed words come before parameters: /students/waiting before /students/{studentId}.
  return routes.toSorted((one, other) => one.parameters - other.parameters);
}

/** The inputs by which lists take the `next` of the page before. */
const cursorNames = ["cursor", "before", "below"];

/** The input by which a list takes the place where it goes on; undefined for everything else. */
export const cursorNameOf = ({ method, input }: Operation): string | undefined =>
  method === "GET" && input !== null && "limit" in input.shape
    ? cursorNames.find((each) => each in input.shape)
    : undefined;

const routes = routesOf(operations);

/** The operations at a path below /api/v1 by method; null for an unknown path. */
export const operationsAt = (path: string): ReadonlyMap<string, Operation> | null =>
  routes.find(({ pattern }) => pattern.test(path))?.methods ?? null;

export const operationById: ReadonlyMap<string, Operation> = new Map(
  operations.map((each) => [each.id, each]),
);
