import { createServer, type Socket } from "node:net";

/** Writes the same bytes to every connection this many times. */
export type Write = { bytes: string; times: number; everyMilliseconds: number };

/** The upper limit for deliveries: a process that writes bytes to its sockets and does nothing else. */
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  socket.on("error", () => {});
  socket.once("data", () => socket.write("ready\n"));
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));

process.on("message", ({ bytes, times, everyMilliseconds }: Write) => {
  const buffer = Buffer.from(bytes, "latin1");
  let rest = times;
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write(buffer);
    if (--rest > 0) return;
    clearInterval(timer);
    process.send?.({});
  }, everyMilliseconds);
});
