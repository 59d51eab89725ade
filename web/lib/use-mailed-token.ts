import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useHydrated } from "./use-hydrated.ts";

/**
 * The token of a mailed link: undefined until React is ready (the page built ahead of time knows no address),
 * null where there is none. It leaves the address bar and the history once read.
 */
export function useMailedToken(): string | null | undefined {
  const [search] = useSearchParams();
  const token = search.get("token");
  useEffect(() => {
    if (token !== null) window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [token]);
  return useHydrated() ? token : undefined;
}
