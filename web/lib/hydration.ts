import { useMemo, useSyncExternalStore } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { serverNow } from "./server-clock.ts";

const never = () => () => {};

/**
 * Returns what the server's HTML shows until the page is hydrated, and what the browser shows from then on. The component
 * renders anew only where the two differ. Each function returns the same value at every call.
 */
export const useSinceHydration = <Value>(inBrowser: () => Value, onServer: () => Value): Value =>
  useSyncExternalStore(never, inBrowser, onServer);

/** False on the server and during hydration, true from then on. */
export const useHydrated = (): boolean =>
  useSinceHydration(
    () => true,
    () => false,
  );

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
