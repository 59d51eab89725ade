import type { ServerResponse } from "node:http";
import { type OpenSink, streamBuffer } from "./live-watcher.ts";

/** Milliseconds that a browser gets to take what was written before the end. */
const lastBytesMayTake = 10_000;

/**
 * A watcher's bytes straight onto the browser's connection, which costs little more than the system's own write: the
 * head declares no length and no chunks, so that the body is whatever comes until the connection closes (RFC 9112,
 * 6.3). Null where the connection still answers an earlier request.
 */
export function socketSink(outgoing: ServerResponse, headers: Record<string, string>): OpenSink | null {
  const { socket } = outgoing;
  if (!socket) return null;
  return ({ drained, gone }) => {
    outgoing.removeHeader("transfer-encoding");
    outgoing.writeHead(200, { ...headers, connection: "close" });
    outgoing.flushHeaders();
    outgoing.once("close", gone);

    return {
      hasRoom: () => socket.writableLength < streamBuffer,
      write(bytes) {
        // The socket's own drain event comes at its own mark. What reaches ours calls back when it has been taken.
        if (socket.writableLength + bytes.length < streamBuffer) socket.write(bytes);
        else socket.write(bytes, drained);
      },
      end() {
        outgoing.end();
        socket.setTimeout(lastBytesMayTake, () => socket.destroy());
      },
      cut: () => void socket.destroy(),
    };
  };
}
