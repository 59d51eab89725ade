import { useMemo, useSyncExternalStore } from "react";
import { useLocation, useRouteLoaderData } from "react-router";
import type { loader } from "../root.tsx";

const never = () => () => {};

/** False on the server and while React takes its HTML over, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** What the page was made with; null only where the server could not make it. */
const useRendered = () => useRouteLoaderData<typeof loader>("root");

/** The query of the address; while React takes over the server's HTML, the one that it was made for. */
export function useQueryOfAddress(): URLSearchParams {
  const { search } = useLocation();
  const rendered = useRendered()?.query ?? "";
  const text = useHydrated() ? search : rendered;
  return useMemo(() => new URLSearchParams(text), [text]);
}

/** When the server made the page, in milliseconds since 1970 by its clock. */
export const useRenderedAt = (): number => useRendered()?.now ?? 0;
