import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Viewer } from "#contract/account.ts";
import { isRole, type Role, type Status } from "#domain/account.ts";
import { useSinceHydration } from "./hydration.ts";
import { queryClient } from "./query-client.ts";
import { api, rpc } from "./rpc.ts";

/** Over https only the server can set a cookie of this name. */
const hintCookie = () => (location.protocol === "https:" ? "__Host-wayfare-hint" : "wayfare-hint");

function readHint(): Role | null {
  const start = `${hintCookie()}=`;
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(start));
  const role = cookie?.slice(start.length) ?? "";
  return isRole(role) ? role : null;
}

let hintAtLoad: Role | null | undefined;

function hintOfPage(): Role | null {
  // Reading cookies is slow, and many components need the hint.
  if (hintAtLoad === undefined) hintAtLoad = readHint();
  return hintAtLoad;
}

/**
 * Returns the role of the person who is probably signed in, from the server's readable cookie at page load. It is
 * neither a secret nor a permission: it lets the first paint show the correct menu until the server answers.
 */
const useHint = (): Role | null => useSinceHydration(hintOfPage, () => null);

/** The tab's knowledge of its viewer. Only the server's answer makes it `known`. */
export type Visit =
  | { state: "unknown"; hint: Role | null }
  | { state: "failed"; error: unknown; retry: () => void }
  | { state: "known"; viewer: Viewer | null };

let earlyAnswer: ReturnType<typeof rpc.account.me> | null = null;

const me = queryOptions({
  ...api.account.me.queryOptions(),
  queryFn: async () => {
    const answer = earlyAnswer ?? rpc.account.me();
    earlyAnswer = null;
    return await answer;
  },
});

export function useVisit(): Visit {
  const hint = useHint();
  const { data, error, isFetching, refetch } = useQuery(me);
  if (data) return { state: "known", viewer: data.viewer };
  if (error && !isFetching) return { state: "failed", error, retry: () => void refetch() };
  return { state: "unknown", hint };
}

/** Nobody counts as signed in until the server has answered, so that an answer of "nobody" causes no new render. */
const viewerQuery = {
  ...me,
  placeholderData: { viewer: null },
  select: ({ viewer }: { viewer: Viewer | null }) => viewer,
};

/** Returns the signed-in viewer; null for a visitor and until the server has answered. */
export const useViewer = (): Viewer | null => useQuery(viewerQuery).data ?? null;

export const useIsStudent = (): boolean => useViewer()?.role === "student";

/** The member whose menu is drawn; email and status may still be loading. */
export type Member = { role: Role; email: string | null; status: Status | null };

/** Returns the viewer according to the server's answer, or to the hint until then; null for a visitor. */
export function useMember(): Member | null {
  const query = useQuery(viewerQuery);
  const hint = useHint();
  // A visitor's page reads no other property of the query, so the answer doesn't render it again.
  if (query.data || hint === null) return query.data ?? null;
  const isAnswered = query.data === null && !query.isPlaceholderData;
  return isAnswered ? null : { role: hint, email: null, status: null };
}

/** Whether the viewer is signed in, according to the hint until the server has answered. */
export function useIsMember(): boolean {
  const query = useQuery(viewerQuery);
  const hint = useHint();
  if (query.data || hint === null) return Boolean(query.data);
  return query.isPlaceholderData;
}

/** Sends the request before React is ready. The answer is used after hydration: the HTML is the same for everyone. */
export function askForViewer(): void {
  earlyAnswer = rpc.account.me();
  earlyAnswer.catch(() => {});
}

/** Returns the viewer's id as far as this tab knows it; null for a visitor. */
export const viewerId = (): string | null => queryClient.getQueryData(me.queryKey)?.viewer?.id ?? null;

/** Marks the mutation that signs the viewer out. */
export const signOutKey = ["sign out"];

/** Stores the viewer that a call returned; the guards then redirect if necessary. */
export async function setViewer(viewer: Viewer | null): Promise<void> {
  // A pending `me` was sent before this call and would bring back the former state.
  await queryClient.cancelQueries({ queryKey: me.queryKey });
  queryClient.setQueryData(me.queryKey, { viewer });
}
