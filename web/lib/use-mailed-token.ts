import { useEffect } from "react";
import { useHydrated, useQueryOfAddress } from "./hydration.ts";

/**
 * Returns the token of a mailed link: null without one, and undefined during hydration if there is one, because the
 * server's HTML is the same for every link. Once read, the token is removed from the address bar and the history.
 */
export function useMailedToken(): string | null | undefined {
  const token = useQueryOfAddress().get("token");
  const hydrated = useHydrated();
  useEffect(() => {
    if (!token) return;
    const address = new URL(window.location.href);
    address.searchParams.delete("token");
    window.history.replaceState(window.history.state, "", address);
  }, [token]);
  return token !== null && !hydrated ? undefined : token;
}
