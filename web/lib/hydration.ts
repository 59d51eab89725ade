import { useMemo, useSyncExternalStore } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import type { loader } from "../root.tsx";

const never = () => () => {};

/** False on the server and during hydration, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Returns the data that the page was rendered with; undefined only where the server couldn't render it. */
const useRendered = () => useRouteLoaderData<typeof loader>("root");

/** Returns the query of the address; during hydration, the query that the server's HTML was rendered for. */
export function useQueryOfAddress(): URLSearchParams {
  const { search } = useLocation();
  const rendered = useRendered()?.query ?? "";
  const text = useHydrated() ? search : rendered;
  return useMemo(() => new URLSearchParams(text), [text]);
}

/** Returns when the server rendered the page, in milliseconds since 1970 by its clock; 0 if it couldn't. */
export const useRenderedAt = (): number => useRendered()?.now ?? 0;
