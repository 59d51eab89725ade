import { useEffect } from "react";
import { useHydrated, useQueryOfAddress } from "./hydration.ts";

/**
 * The token of a mailed link: null where there is none, undefined as long as only that is known that there is one, since
 * the server's HTML is the same for every link. It leaves the address bar and the history once read.
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
