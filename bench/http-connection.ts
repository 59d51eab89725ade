import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What a request on a kept-open connection is answered. */
export type HttpAnswer = { status: number; body: string };

const headEnd = "\r\n\r\n";

/**
 * One HTTP/1.1 connection that is kept open, one request at a time. By hand, since a library's own work would be
 * measured with the server's: this takes a tenth of it.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #text = "";
  #heard: (() => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.setNoDelay(true);
    socket.on("data", (text: string) => {
      this.#text += text;
      this.#heard?.();
    });
  }

  static async open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    return new HttpConnection(socket);
  }

  /** Sends a request that ends in its body, and waits for all of its answer. */
  async send(request: string): Promise<HttpAnswer> {
    this.#socket.write(request);
    for (;;) {
      const answer = this.#take();
      if (answer) return answer;
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
  }

  /** The next whole answer among what has arrived. */
  #take(): HttpAnswer | null {
    const end = this.#text.indexOf(headEnd);
    if (end < 0) return null;
    const head = this.#text.slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) throw new Error("an answer told no length");
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

/** The text of a GET. */
export const getRequest = (url: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`;

/** The text of a POST with JSON to a procedure, as a browser's page sends it. */
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
