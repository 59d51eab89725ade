import { useDeferredValue, useEffect, useMemo, useSyncExternalStore } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { serverNow } from "./server-clock.ts";

const never = () => () => {};

/**
 * Returns what the server's HTML shows until the component is hydrated, and what the browser shows from then on, at once.
 * The component renders anew only where the two differ. Each function returns the same value at every call.
 */
export const useSinceHydration = <Value>(inBrowser: () => Value, onServer: () => Value): Value =>
  useSyncExternalStore(never, inBrowser, onServer);

let isPageHydrated = false;

/** Marks the page as hydrated; for the root, since what is mounted later is no part of the server's HTML. */
export const useMarkHydrated = (): void =>
  useEffect(() => {
    isPageHydrated = true;
  }, []);

/** Whether the page was hydrated before: what is mounted now is no part of the server's HTML, and may look different. */
export const wasHydrated = (): boolean => isPageHydrated;

/**
 * False on the server and while the page is hydrated, true soon after that: all that waits for it renders in one go that
 * lets presses and typing pass, and so doesn't block a slow phone. A part of the server's HTML whose code is lazy-loaded is
 * hydrated later, and needs `useSinceHydration`.
 */
export const useHydrated = (): boolean => useDeferredValue(true, isPageHydrated);

/** The time at which the server rendered the page, in milliseconds since 1970 by its clock, and the query it was for. */
export type RootData = { now: number; query: string };

/** Returns the data of the root's loader; undefined only where the server couldn't render the page. */
const useRendered = () => useRouteLoaderData<RootData>("root");

/** Returns the query of the address; during hydration, the query that the server's HTML was rendered for. */
export function useQueryOfAddress(): URLSearchParams {
  const { search } = useLocation();
  const rendered = useRendered()?.query ?? "";
  const text = useSinceHydration(
    () => search,
    () => rendered,
  );
  return useMemo(() => new URLSearchParams(text), [text]);
}

/** Returns when the server rendered the page, in milliseconds since 1970 by its clock; 0 if it couldn't. */
export const useRenderedAt = (): number => useRendered()?.now ?? 0;

/** Returns the server's time as a page shows it: when it was rendered, until it is hydrated. */
export function useNow(): Date {
  const renderedAt = useRenderedAt();
  return new Date(useHydrated() ? serverNow() : renderedAt);
}
