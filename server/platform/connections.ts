import { IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { clientAddress } from "./client-address.ts";
import type { Environment } from "./environment.ts";
import { securityHeaders } from "./security-headers.ts";

/** Milliseconds for the head of a request. */
const headTimeout = 20_000;
/** Milliseconds for a whole request. */
const wholeRequestTimeout = 60_000;
/** Milliseconds for an upload: 20 MB over a slow phone connection. */
const uploadTimeout = 20 * 60 * 1000;
/**
 * Milliseconds for a connection without a request. Proxies keep theirs for 60 s: with less here, one could send a
 * request over a connection that is being closed, and answer 502.
 */
const idleTimeout = 75_000;

/** Concurrent connections. A tab needs one for its events, and a few while it loads. */
const mostConnections = 10_000;
const mostOfAddress = 2000;

type Answer = Parameters<typeof createAdaptorServer>[0]["fetch"];

/** Creates a server that limits connections and the duration of requests. */
export function createLimitedServer(
  answer: Answer,
  { trustProxy, baseUrl }: Pick<Environment, "trustProxy" | "baseUrl">,
): Server {
  const limits = {
    headersTimeout: headTimeout,
    // Node applies one limit to every request, so it must fit the longest.
    requestTimeout: uploadTimeout,
    keepAliveTimeout: idleTimeout,
    connectionsCheckingInterval: 5000,
  };
  const server = createAdaptorServer({
    fetch: refuseTwoHosts(answer, securityHeaders(baseUrl)),
    serverOptions: limits,
  }) as Server;
  limitRequests(server);
  limitConnections(server, trustProxy > 0);
  return server;
}

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

function setDeadline(request: IncomingMessage, milliseconds: number): void {
  clearTimeout(deadlines.get(request));
  const cut = () => {
    if (!request.complete) request.socket.destroy();
  };
  deadlines.set(request, setTimeout(cut, milliseconds).unref());
}

/** Cuts requests whose body does not arrive in time. */
export function limitRequests(server: Server, milliseconds = wholeRequestTimeout): void {
  // Runs before the request is answered.
  server.prependListener("request", (request: IncomingMessage) => {
    const { headers } = request;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
    setDeadline(request, milliseconds);
    request.once("close", () => clearTimeout(deadlines.get(request)));
  });
}

/** Gives a request the time that an upload needs. To be called only once its sender is known. */
export function allowUpload(request: IncomingMessage): void {
  if (deadlines.has(request)) setDeadline(request, uploadTimeout);
}

function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") hosts++;
  return hosts > 1;
}

/** Refuses requests with two Host headers, of which a proxy may use the other one (RFC 9112, 3.2). */
function refuseTwoHosts(answer: Answer, headers: Record<string, string>): Answer {
  return (request, env) =>
    env.incoming instanceof IncomingMessage && hasTwoHosts(env.incoming)
      ? new Response("There may be only one Host header.", { status: 400, headers })
      : answer(request, env);
}

/** Limits connections, in total and per address. Behind a proxy all have its address, so only the total counts. */
export function limitConnections(
  server: Server,
  behindProxy: boolean,
  { all = mostConnections, ofAddress = mostOfAddress } = {},
): void {
  server.maxConnections = all;
  if (behindProxy) return;
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, undefined, 0);
    const number = open.get(address) ?? 0;
    if (number >= ofAddress) return void socket.destroy();
    open.set(address, number + 1);
    socket.once("close", () => {
      const count = (open.get(address) ?? 1) - 1;
      if (count > 0) open.set(address, count);
      else open.delete(address);
    });
  });
}
