import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "#tests/support/server-process.ts";

/** The server's behaviour: `cut` closes the connection in the middle of an answer. */
type Mode = "serve" | "fail" | "hang" | "cut";

/** Serves the part of S3 that Wayfare uses from memory, and fails on demand. It checks no keys. */
export async function openS3Server() {
  let mode: Mode = "serve";
  const objects = new Map<string, Buffer>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://s3").pathname);
    const key = path.replace(/^\/[^/]+\/?/, "");
    if (mode === "hang") return;
    if (mode === "fail") return void request.resume().once("end", () => response.writeHead(500).end());
    const pieces: Buffer[] = [];
    for await (const piece of request) {
      if (mode === "cut") return void request.socket.resetAndDestroy();
      pieces.push(piece);
    }
    if (request.method === "PUT") {
      objects.set(key, Buffer.concat(pieces));
      return void response.writeHead(200, { etag: '"a"' }).end();
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const object = objects.get(key);
    if (key !== "" && !object) return void response.writeHead(404).end();
    const size = object?.length ?? 0;
    response.writeHead(200, {
      "content-length": size,
      etag: '"a"',
      "last-modified": new Date().toUTCString(),
    });
    response.end(request.method === "HEAD" ? undefined : object);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `s3://key:secret@127.0.0.1:${port}/wayfare?insecure=true`,
    sizeOf: (key: string) => objects.get(key)?.length ?? null,
    keys: () => [...objects.keys()],
    be: (next: Mode) => void (mode = next),
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
