import { renderToReadableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { RequestId } from "./lib/failed-request.ts";
import { onServer } from "./load-context.ts";

// The server runs the application by these: a context is known by identity, so it must be the bundle's own.
export { createRequestHandler, matchRoutes, RouterContextProvider } from "react-router";
export { samples } from "./content/samples.ts";
export { setConfiguration } from "./lib/configuration.ts";
export { onServer };

/** What a loader or a screen threw, in place of React Router's own line on standard error. */
export const handleError: HandleErrorFunction = (error, { context }) => context.get(onServer).report(error);

/** Renders a page as a whole: its loaders have everything by now, and it is compressed and kept for a moment. */
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
