import { Socket } from "node:net";

/**
 * The sockets of connections to PostgreSQL, so that all can be cut at once, and new ones refused for as long as nothing
 * would answer on them. `open` is the driver's option `stream`.
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

  /** Whatever waits for an answer on one of them fails at once, for this reason; pools replace what they lose. */
  cut(reason: string): void {
    for (const socket of this.#open) socket.destroy(new Error(reason));
  }

  /** The same, and nothing is connected from now on until `allow`. */
  refuse(reason: string): void {
    this.#refusal = reason;
    this.cut(reason);
  }

  allow(): void {
    this.#refusal = null;
  }
}
