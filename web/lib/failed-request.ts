import { createContext, use, useState } from "react";

/** The id of the request that this page is rendered for, on the server. Only an error page may show it. */
export const RequestId = createContext("");

export const failedRequestElementId = "failed-request";

/** Returns the failed request's id on an error page, otherwise "". */
export function useFailedRequest(): string {
  const onServer = use(RequestId);
  const [onPage] = useState(() =>
    import.meta.env.SSR ? "" : (document.getElementById(failedRequestElementId)?.textContent ?? ""),
  );
  return onServer || onPage;
}
