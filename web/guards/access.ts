import type { Location } from "react-router";
import type { Viewer } from "#contract/account.ts";
import { type Area, entry, homePath, safeNext } from "#domain/area.ts";
import type { Visit } from "../lib/viewer.ts";

/** What stands at the entrance of an area right now. */
export type Door =
  | { kind: "enter" | "wait" | "unauthorized" }
  | { kind: "failed"; error: unknown; retry: () => void }
  | { kind: "go"; to: string };

type Place = Pick<Location, "pathname" | "search">;

const toLogin = ({ pathname, search }: Place) => `/login?next=${encodeURIComponent(pathname + search)}`;

/** Where the screens for visitors send somebody who is signed in: on to what they asked for. */
const onward = ({ search }: Place, viewer: Viewer) =>
  safeNext(new URLSearchParams(search).get("next")) ?? homePath(viewer);

/** Turns the one rule about areas, `entry`, into what the page does with the person at this place. */
export function doorOf(area: Area, visit: Visit, place: Place): Door {
  if (visit.state === "known") return decided(area, visit.viewer, place);
  // The forms for visitors hold nothing secret: they need not wait, unless somebody is probably signed in.
  if (area === "visitor" && !(visit.state === "unknown" && visit.hint)) return { kind: "enter" };
  return visit.state === "unknown" ? { kind: "wait" } : { ...visit, kind: "failed" };
}

function decided(area: Area, viewer: Viewer | null, place: Place): Door {
  const decision = entry(area, viewer);
  if (decision === "enter" || decision === "unauthorized") return { kind: decision };
  if (viewer === null) return { kind: "go", to: toLogin(place) };
  return { kind: "go", to: area === "visitor" ? onward(place, viewer) : homePath(viewer) };
}
