import { type Area, isArea } from "#domain/area.ts";

const prefix = "area/";

/** The id of the route around the screens of an area, and back. */
export const routeOfArea = (area: Area): string => `${prefix}${area}`;
export function areaOfRoute(id: string): Area | null {
  const name = id.startsWith(prefix) ? id.slice(prefix.length) : "";
  return isArea(name) ? name : null;
}
