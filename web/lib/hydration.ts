import { useDeferredValue, useEffect, useMemo, useSyncExternalStore } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { serverNow } from "./server-clock.ts";

const never = () => () => {};

/**
 * Returns the server's value until the component is hydrated, and the browser's value immediately after that. The
 * component renders again only if the two differ. Each function must return the same value at every call.
 */
export const useSinceHydration = <Value>(inBrowser: () => Value, onServer: () => Value): Value =>
  useSyncExternalStore(never, inBrowser, onServer);

let isPageHydrated = false;

/** Marks the page as hydrated; for the root, since anything mounted later is not part of the server's HTML. */
export const useMarkHydrated = (): void =>
  useEffect(() => {
    isPageHydrated = true;
  }, []);

/** Whether the page is hydrated: anything mounted now is not part of the server's HTML, and may differ from it. */
export const wasHydrated = (): boolean => isPageHydrated;

/**
 * False on the server and during hydration, true soon after that: everything that waits for it renders in one
 * interruptible pass, which doesn't block presses and typing on a slow phone. A part of the server's HTML whose code is
 * lazy-loaded is hydrated later, and needs `useSinceHydration`.
 */
export const useHydrated = (): boolean => useDeferredValue(true, isPageHydrated);

/** The time at which the server rendered the page, in milliseconds since 1970 by its clock, and its query. */
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
