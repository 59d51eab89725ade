import { createContext, use, useState } from "react";

/** On the server: the id of the request that has this page rendered. Only an error page may show it. */
export const RequestId = createContext("");

export const failedRequestElementId = "failed-request";

/** Of the request whose page the server could not make, as the page that came instead says; "" of any other. */
export function useFailedRequest(): string {
  const onServer = use(RequestId);
  const [onPage] = useState(() =>
    import.meta.env.SSR ? "" : (document.getElementById(failedRequestElementId)?.textContent ?? ""),
  );
  return onServer || onPage;
}
