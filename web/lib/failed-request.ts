import { createContext, use, useState } from "react";

/** The id of the request that this page is rendered for, on the server. Only an error page may show it. */
export const RequestId = createContext("");

export const failedRequestElementId = "failed-request";

/**
 * Returns the id of the request that the server answered with an error page, read from that page; "" on any other page.
 */
export function useFailedRequest(): string {
  const onServer = use(RequestId);
  const [onPage] = useState(() =>
    import.meta.env.SSR ? "" : (document.getElementById(failedRequestElementId)?.textContent ?? ""),
  );
  return onServer || onPage;
}
