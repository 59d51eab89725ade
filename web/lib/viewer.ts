import { useQuery } from "@tanstack/react-query";
import type { Viewer } from "#contract/account.ts";
import type { Role } from "#domain/account.ts";
import { useHint } from "./hint.ts";
import { queryClient } from "./query-client.ts";
import { api } from "./rpc.ts";
import { useHydrated } from "./use-hydrated.ts";

/** What the tab knows about who is looking at it. Only the server's word makes it `known`. */
export type Visit =
  | { state: "unknown"; hint: Role | null }
  | { state: "failed"; error: unknown; retry: () => void }
  | { state: "known"; viewer: Viewer | null };

const me = api.account.me.queryOptions();

export function useVisit(): Visit {
  const hydrated = useHydrated();
  const hint = useHint();
  const { data, error, isFetching, refetch } = useQuery(me);
  if (!hydrated) return { state: "unknown", hint: null };
  if (data) return { state: "known", viewer: data.viewer };
  if (error && !isFetching) return { state: "failed", error, retry: () => void refetch() };
  return { state: "unknown", hint };
}

/** The same for code outside of React: what is known right now. */
export const knownVisit = (): Visit => {
  const known = queryClient.getQueryData(me.queryKey);
  return known ? { state: "known", viewer: known.viewer } : { state: "unknown", hint: null };
};

/** Whoever is signed in; null for a visitor and as long as it is not known. */
export function useViewer(): Viewer | null {
  const visit = useVisit();
  return visit.state === "known" ? visit.viewer : null;
}

/** Asks before React is ready, so that the answer and the page arrive together. */
export const askForViewer = () => void queryClient.prefetchQuery(me);

/** Takes over what a call just answered about the viewer; the guards move the page on by themselves. */
export async function setViewer(viewer: Viewer | null): Promise<void> {
  // A `me` that is still on its way was asked before this and would bring back the former state.
  await queryClient.cancelQueries({ queryKey: me.queryKey });
  queryClient.setQueryData(me.queryKey, { viewer });
}
