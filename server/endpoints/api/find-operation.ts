import { type Operation, operations } from "#contract/operations.ts";

type Place = { pattern: RegExp; methods: Map<string, Operation>; parameters: number };

function placesOf(all: readonly Operation[]): readonly Place[] {
  const byPath = Map.groupBy(all, ({ path }) => path);
  const places = [...byPath].map(([path, of]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
    methods: new Map(of.map((operation) => [operation.method, operation])),
    parameters: path.split("{").length,
  }));
  // A word in an address is meant before anything that may stand in its place.
  return places.toSorted((one, other) => one.parameters - other.parameters);
}

const places = placesOf(operations);

/** What is at an address below /api/v1 by method; null for an address where nothing is. */
export const operationsAt = (path: string): ReadonlyMap<string, Operation> | null =>
  places.find(({ pattern }) => pattern.test(path))?.methods ?? null;

export const operationById: ReadonlyMap<string, Operation> = new Map(
  operations.map((each) => [each.id, each]),
);
