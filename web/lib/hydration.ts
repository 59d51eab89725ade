import { useMemo, useSyncExternalStore } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import { serverNow } from "./server-clock.ts";

const never = () => () => {};

/** False on the server and during hydration, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
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
  const text = useHydrated() ? search : rendered;
  return useMemo(() => new URLSearchParams(text), [text]);
}

/** Returns when the server rendered the page, in milliseconds since 1970 by its clock; 0 if it couldn't. */
export const useRenderedAt = (): number => useRendered()?.now ?? 0;

/** Returns the server's time as a page shows it: when it was rendered, until it is hydrated. */
export function useNow(): Date {
  const renderedAt = useRenderedAt();
  return new Date(useHydrated() ? serverNow() : renderedAt);
}
