import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** The answer to a request on a kept-open connection. */
export type HttpAnswer = { status: number; body: string };

const headEnd = "\r\n\r\n";

/** Milliseconds after which an idle connection is not reused: the server closes one after five seconds. */
const maxIdle = 3_000;

/**
 * An HTTP/1.1 connection that is kept open, one request at a time. It is handwritten, because a library's own work
 * would be measured with the server's: this takes a tenth of it.
 */
export class HttpConnection {
  readonly #url: URL;
  #socket: Socket;
  #text = "";
  #received: (() => void) | null = null;
  #usedAt = performance.now();

  private constructor(url: URL, socket: Socket) {
    this.#url = url;
    this.#socket = this.#listen(socket);
  }

  static async open(url: string): Promise<HttpConnection> {
    const to = new URL(url);
    return new HttpConnection(to, await connected(to));
  }

  #listen(socket: Socket): Socket {
    socket.setEncoding("latin1");
    socket.setNoDelay(true);
    return socket.on("data", (text: string) => {
      this.#text += text;
      this.#received?.();
    });
  }

  /** Sends a request that ends in its body, and waits for its complete answer. */
  async send(request: string): Promise<HttpAnswer> {
    if (performance.now() - this.#usedAt > maxIdle) {
      this.#socket.destroy();
      this.#text = "";
      this.#socket = this.#listen(await connected(this.#url));
    }
    this.#socket.write(request);
    for (;;) {
      const answer = this.#take();
      if (answer) {
        this.#usedAt = performance.now();
        return answer;
      }
      await new Promise<void>((resolve) => {
        this.#received = resolve;
      });
    }
  }

  /** Returns the next complete answer among the received bytes. */
  #take(): HttpAnswer | null {
    const end = this.#text.indexOf(headEnd);
    if (end < 0) return null;
    const head = this.#text.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error(`an answer has no length: ${head}`);
    const from = end + headEnd.length;
    if (this.#text.length < from + length) return null;
    const body = this.#text.slice(from, from + length);
    this.#text = this.#text.slice(from + length);
    return { status: Number(head.slice(9, 12)), body };
  }

  close(): void {
    this.#socket.destroy();
  }
}

async function connected({ hostname, port }: URL): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  return socket;
}

/** Returns the text of a GET request. */
export const getRequest = (url: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`;

/** Returns the text of a POST with JSON to a procedure, as a page sends it. */
export function rpcRequest(url: string, procedure: string, cookie: string, input: object): string {
  const body = JSON.stringify({ json: input });
  return [
    `POST /rpc/${procedure.replace(".", "/")} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    "content-type: application/json",
    "x-csrf-token: orpc",
    `cookie: ${cookie}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}
