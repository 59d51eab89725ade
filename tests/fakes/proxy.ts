import { once } from "node:events";
import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { freePort } from "#tests/support/server-process.ts";

/**
 * `forward` passes bytes on; `refuse` closes open connections and accepts none; `swallow` keeps connections open and
 * accepts new ones, but nothing gets through in either direction, as when packets are lost.
 */
type Mode = "forward" | "refuse" | "swallow";

/** Opens a TCP proxy to a server, on a port of this machine, whose connections can be cut. */
export async function openProxy(to: () => NetConnectOpts) {
  let mode: Mode = "forward";
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    return socket;
  };
  const closeAll = () => {
    for (const socket of open)
      if (socket.remoteFamily === undefined) socket.destroy();
      else socket.resetAndDestroy();
  };

  function pass(from: Socket, other: Socket): void {
    let swallowed = false;
    from.on("data", (chunk: Buffer) => {
      // Lost bytes are never sent again, so the connection stays useless.
      swallowed ||= mode === "swallow";
      if (!swallowed) other.write(chunk);
    });
    from.on("close", () => {
      if (!swallowed && mode !== "swallow") other.destroy();
    });
  }

  const server = createServer((socket) => {
    keep(socket);
    if (mode === "refuse") return void socket.resetAndDestroy();
    if (mode === "swallow") return void socket.resume();
    const other = keep(connect(to()));
    pass(socket, other);
    pass(other, socket);
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    port,
    be(next: Mode): void {
      mode = next;
      if (mode === "refuse") closeAll();
    },
    async stop(): Promise<void> {
      closeAll();
      server.close();
      await once(server, "close");
    },
  };
}
