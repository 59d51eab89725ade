import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Viewer } from "#contract/account.ts";
import type { Role } from "#domain/account.ts";
import { useHint } from "./hint.ts";
import { queryClient } from "./query-client.ts";
import { api, rpc } from "./rpc.ts";

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
