import { LRUCache } from "lru-cache";
import type { RouteObject, ServerBuild } from "react-router";
import type { Area } from "#domain/area.ts";
import { areaOfRoute } from "#protocol/area-route.ts";
import type { Build } from "./render.ts";

/** The screen that a path leads to: its route and the area that it is in, if there is one. */
export type Place = {
  screen: RouteObject | undefined;
  area: Area | undefined;
  /** The canonical path; null where there is no screen. */
  path: string | null;
  /** The ids of the routes that make up the page. */
  routes: readonly string[];
};

/** Paths whose place is cached, because React Router processes the whole map for each match. */
const mostPaths = 1_000;

type RouteMap = Pick<Build, "routes"> & { entry: { module: Pick<Build["entry"]["module"], "matchRoutes"> } };

/** Returns a function that finds the place of a path in a build's routes, as React Router matches them. */
export function createRouteMatcher({
  routes: buildRoutes,
  entry: { module },
}: RouteMap): (path: string) => Place {
  const [root] = treeOf(buildRoutes);
  const places = new LRUCache<string, Place>({ max: mostPaths });

  function find(path: string): Place {
    const matches = module.matchRoutes(root?.children ?? [], decodable(path)) ?? [];
    const { route: screen, params = {} } = matches.at(-1) ?? {};
    const ids = matches.flatMap(({ route }) => route.id ?? []);
    return {
      screen,
      area: ids.flatMap((id) => areaOfRoute(id) ?? []).at(0),
      path: screen === undefined || screen.path === "*" ? null : spell(screen.path ?? "", params),
      routes: [root?.id ?? "root", ...ids],
    };
  }

  return (path) => {
    const place = places.get(path) ?? find(path);
    places.set(path, place);
    return place;
  };
}

/** Escapes the percent signs of a path that can't be decoded, for each of which React Router would print a warning. */
function decodable(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll("%", "%25");
  }
}

/** Returns the routes as the tree that React Router matches. */
function treeOf(routes: ServerBuild["routes"], parentId?: string): RouteObject[] {
  const below = Object.values(routes).flatMap((route) => (route?.parentId === parentId ? (route ?? []) : []));
  return below.map(({ id, path = "", module: { handle } }) => {
    const children = treeOf(routes, id);
    // A layout has no path of its own; the home page is the empty one.
    return children.length > 0 && path === "" ? { id, handle, children } : { id, path, handle, children };
  });
}

/** Returns a path in one encoding, from a route's pattern and its decoded parameters. */
const spell = (pattern: string, params: Readonly<Record<string, string | undefined>>): string =>
  `/${pattern
    .split("/")
    .map((part) => (part.startsWith(":") ? encodeURIComponent(params[part.slice(1)] ?? "") : part))
    .join("/")}`;
