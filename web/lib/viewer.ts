import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Viewer } from "#contract/account.ts";
import { isRole, type Role } from "#domain/account.ts";
import { useHydrated } from "./hydration.ts";
import { queryClient } from "./query-client.ts";
import { api, rpc } from "./rpc.ts";

/** Over https only the server can set the cookie of this name. */
const hintCookie = () => (location.protocol === "https:" ? "__Host-wayfare-hint" : "wayfare-hint");

/**
 * The role of whoever is probably signed in, from the server's readable cookie: no secret, no right. It lets
 * the first paint show the right menu until the server's answer is there.
 */
export function readHint(): Role | null {
  const start = `${hintCookie()}=`;
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(start));
  const role = cookie?.slice(start.length) ?? "";
  return isRole(role) ? role : null;
}

const useHint = (): Role | null => (useHydrated() ? readHint() : null);

/** What the tab knows about who is looking at it. Only the server's word makes it `known`. */
export type Visit =
  | { state: "unknown"; hint: Role | null }
  | { state: "failed"; error: unknown; retry: () => void }
  | { state: "known"; viewer: Viewer | null };

let early: ReturnType<typeof rpc.account.me> | null = null;

const me = queryOptions({
  ...api.account.me.queryOptions(),
  queryFn: async () => {
    const asked = early ?? rpc.account.me();
    early = null;
    return await asked;
  },
});

export function useVisit(): Visit {
  const hint = useHint();
  const { data, error, isFetching, refetch } = useQuery(me);
  if (data) return { state: "known", viewer: data.viewer };
  if (error && !isFetching) return { state: "failed", error, retry: () => void refetch() };
  return { state: "unknown", hint };
}

/** Whoever is signed in; null for a visitor and as long as it is not known. */
export function useViewer(): Viewer | null {
  const visit = useVisit();
  return visit.state === "known" ? visit.viewer : null;
}

/** Whether somebody is signed in; by the hint, as long as the server hasn't said. */
export function useIsMember(): boolean {
  const visit = useVisit();
  return visit.state === "known" ? visit.viewer !== null : visit.state === "unknown" && visit.hint !== null;
}

/** Whose menu to draw: nobody's, or somebody's whose email may still be on the way. */
export type Member = { role: Role; email: string | null };

/** The server's word where it is there, the hint until then. */
export function useMember(): Member | null {
  const visit = useVisit();
  const hint = useHint();
  if (visit.state === "known") return visit.viewer;
  return hint && { role: hint, email: null };
}

/** Asks before React is ready. The answer counts once it has taken over the HTML, which knows nobody. */
export function askForViewer(): void {
  early = rpc.account.me();
  early.catch(() => {});
}

/** Takes over what a call just answered about the viewer; the guards move the page on by themselves. */
export async function setViewer(viewer: Viewer | null): Promise<void> {
  // A `me` that is still on its way was asked before this and would bring back the former state.
  await queryClient.cancelQueries({ queryKey: me.queryKey });
  queryClient.setQueryData(me.queryKey, { viewer });
}
