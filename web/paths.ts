type ManifestRoute = { path?: string; index?: boolean; parentId?: string };

/**
 * Every address pattern of the route map, in the form `/product/:productId`, without the splat. Layouts (the
 * guards) add nothing to a path; only a route that nothing nests below is an address.
 */
export function pathsOf(routes: Readonly<Record<string, ManifestRoute>>): string[] {
  const parents = new Set(Object.values(routes).map((route) => route.parentId));
  const pathOf = ({ path, parentId }: ManifestRoute): string => {
    const parent = parentId === undefined ? undefined : routes[parentId];
    return `${parent ? pathOf(parent) : ""}${path ? `/${path}` : ""}`;
  };
  return Object.entries(routes)
    .filter(([id, route]) => !parents.has(id) && route.path !== "*")
    .map(([, route]) => pathOf(route) || "/")
    .toSorted();
}

/** Those of them that stand behind a guard. */
export function guardedPathsOf(routes: Readonly<Record<string, ManifestRoute>>): string[] {
  const isGuard = (id: string | undefined) => id?.startsWith("guards/") === true;
  return pathsOf(Object.fromEntries(Object.entries(routes).filter(([, { parentId }]) => isGuard(parentId))));
}
