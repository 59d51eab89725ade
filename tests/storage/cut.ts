import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A network between Wayfare and a server that breaks after this many bytes towards the server, and stays broken. */
export class BreakingNetwork {
  /** `host:port` to use in place of the server's own. */
  host = "";
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #left = Number.POSITIVE_INFINITY;

  constructor(target: string) {
    const [host, port] = target.split(":");
    this.#server = createServer((near) => {
      if (this.#left <= 0) return void near.destroy();
      const far = connect(Number(port), host);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      far.pipe(near);
      near.on("data", (bytes: Buffer) => {
        this.#left -= bytes.length;
        if (this.#left <= 0) this.#cut();
        else if (!far.write(bytes)) near.pause();
      });
      far.on("drain", () => near.resume());
    });
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async open(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.host = `127.0.0.1:${address.port}`;
  }

  breakAfter(bytes: number): void {
    this.#left = bytes;
    if (bytes <= 0) this.#cut();
  }

  mend(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    this.#cut();
    this.#server.close();
    await once(this.#server, "close");
  }
}
