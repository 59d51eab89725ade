import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export type ReceivedCall = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
/** A status to answer with, or a function that handles the response. */
type Reply = number | ((response: ServerResponse) => void);

/** Opens a receiver of webhooks on loopback. It keeps the messages and answers 204, or as `answer` says. */
export async function openWebhookReceiver(tls?: ServerOptions) {
  const received: ReceivedCall[] = [];
  let answering: Reply = 204;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
      if (typeof answering === "number") response.writeHead(answering).end();
      else answering(response);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}/hook`,
    received: received as readonly ReceivedCall[],
    answer: (next: Reply) => void (answering = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns a message's content if the Standard Webhooks library verifies it; throws otherwise. */
export function verified(secret: string, { headers, body }: Pick<ReceivedCall, "headers" | "body">): unknown {
  const headerPairs = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new Webhook(secret).verify(body, Object.fromEntries(headerPairs));
}
