import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { RequestId } from "./lib/failed-request.ts";
import { onServer } from "./load-context.ts";

// The server uses these. React Router identifies a context by reference, so the bundle must export its own.
export { createRequestHandler, matchRoutes, RouterContextProvider } from "react-router";
export { samples } from "./content/samples.ts";
export { setConfiguration } from "./lib/configuration.ts";
export { onServer };

/** Reports errors of loaders and screens to the server's log, instead of React Router's own line on standard error. */
export const handleError: HandleErrorFunction = (error, { context }) => context.get(onServer).report(error);

/**
 * Renders the whole page before answering: its loaders are done by now, and the HTML is compressed and cached briefly.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, requestId, report } = loadContext.get(onServer);
  const html = await renderToReadableStream(
    <RequestId value={requestId}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </RequestId>,
    { nonce, onError: report },
  );
  await html.allReady;
  headers.set("content-type", "text/html; charset=utf-8");
  return new Response(html, { headers, status });
}
