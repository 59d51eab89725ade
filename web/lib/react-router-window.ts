import type { DataRouteObject, Location } from "react-router";
import type { ScreenHandle } from "./screen-handle.ts";

/** A part of the map of URLs: where its code and its styles are. */
type Part = { module: string; css?: readonly string[] };
type Router = { routes: DataRouteObject[]; state: { navigation: { location?: Location } } };
type Code = { handle?: ScreenHandle };

/** What React Router keeps on the window of every page that it built. */
const kept = (name: string) => Reflect.get(window, `__reactRouter${name}`);

export const router = (): Router => kept("DataRouter");

export function partOf(id: string): Part | undefined {
  const { routes }: { routes: Record<string, Part> } = kept("Manifest");
  return routes[id];
}

/** The code that was loaded by now, by the id of its part. */
export const loadedCode = (): Record<string, Code> => kept("RouteModules");
