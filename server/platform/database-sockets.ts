import { Socket } from "node:net";

/**
 * The sockets of connections to PostgreSQL, so that all can be closed at once, and new ones refused while the server
 * does not answer. `open` is for the driver's option `stream`.
 */
export class DatabaseSockets {
  readonly #open = new Set<Socket>();
  #refusal: string | null = null;

  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    const refusal = this.#refusal;
    // The driver connects it in the same tick.
    if (refusal !== null) process.nextTick(() => socket.destroy(new Error(refusal)));
    return socket;
  };

  /** Closes all: queries that wait for an answer fail at once for this reason, and pools open new connections. */
  cut(reason: string): void {
    for (const socket of this.#open) socket.destroy(new Error(reason));
  }

  /** The same, and no connection can be opened until `allow`. */
  refuse(reason: string): void {
    this.#refusal = reason;
    this.cut(reason);
  }

  allow(): void {
    this.#refusal = null;
  }
}
