import type { Location } from "react-router";
import type { Viewer } from "#contract/account.ts";
import { type Area, entry, safeNext } from "#domain/area.ts";
import { homePath, securityPath } from "#protocol/addresses.ts";
import type { Visit } from "../lib/viewer.ts";

/** Whether a person may enter an area, or what happens instead. */
export type AccessDecision =
  | { kind: "enter" | "wait" | "unauthorized" }
  | { kind: "failed"; error: unknown; retry: () => void }
  | { kind: "go"; to: string };

type Address = Pick<Location, "pathname" | "search">;

const toLogin = ({ pathname, search }: Address) => `/login?next=${encodeURIComponent(pathname + search)}`;

/** Returns the address to which visitor screens redirect signed-in people: the requested one, or else their home. */
const onward = ({ search }: Address, viewer: Viewer) =>
  safeNext(new URLSearchParams(search).get("next")) ?? homePath(viewer);

/** Applies the access rule of areas, `entry`, to the viewer at this address. */
export function resolveAccess(area: Area, visit: Visit, address: Address): AccessDecision {
  if (visit.state === "known") return decideForViewer(area, visit.viewer, address);
  // The forms for visitors hold nothing secret, so they don't wait unless somebody is probably signed in.
  if (area === "visitor" && !(visit.state === "unknown" && visit.hint)) return { kind: "enter" };
  return visit.state === "unknown" ? { kind: "wait" } : { ...visit, kind: "failed" };
}

function decideForViewer(area: Area, viewer: Viewer | null, address: Address): AccessDecision {
  const decision = entry(area, viewer);
  if (decision === "enter" || decision === "unauthorized") return { kind: decision };
  if (viewer === null) return { kind: "go", to: toLogin(address) };
  if (decision === "secure") return { kind: "go", to: securityPath };
  return { kind: "go", to: area === "visitor" ? onward(address, viewer) : homePath(viewer) };
}
