import { once } from "node:events";
import { createServer, type Server } from "node:http";

/**
 * A store with the part of S3 that Wayfare uses, without a check of credentials: for `npm test`, which needs nothing
 * installed. Refusals are tested on a real S3 server (`npm run test:storage`).
 */
export class S3StandIn {
  readonly objects = new Map<string, Buffer>();
  /** The requests so far. */
  readonly requests: { method: string; path: string; authorization: string }[] = [];
  /** The status that every request gets, if set. */
  refusing: { status: number; code: string } | null = null;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const { method = "", url = "", headers } = request;
      const [path = "", query = ""] = url.split("?");
      this.requests.push({ method, path, authorization: headers.authorization ?? "" });
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { status, body } = this.#answer(method, path, query, Buffer.concat(chunks));
        response.writeHead(status, { "last-modified": new Date().toUTCString() });
        response.end(method === "HEAD" ? undefined : body);
      });
    });
  }

  #answer(
    method: string,
    path: string,
    query: string,
    content: Buffer,
  ): { status: number; body?: Buffer | string } {
    if (this.refusing) {
      const { status, code } = this.refusing;
      return { status, body: `<Error><Code>${code}</Code></Error>` };
    }
    if (query.includes("list-type=2")) return { status: 200, body: "<ListBucketResult/>" };
    if (query.startsWith("uploads")) return { status: 200, body: "<ListMultipartUploadsResult/>" };
    if (method === "PUT") this.objects.set(path, content);
    const object = this.objects.get(path);
    return object ? { status: 200, body: object } : { status: 404 };
  }

  /** Starts the server; resolves to its `host:port`. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return `127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
