import { type Area, isArea } from "#domain/area.ts";

const prefix = "area/";

/** Converts an area into the id of the route around its screens, and back. */
export const routeOfArea = (area: Area): string => `${prefix}${area}`;
export function areaOfRoute(id: string): Area | null {
  const name = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  return isArea(name) ? name : null;
}
