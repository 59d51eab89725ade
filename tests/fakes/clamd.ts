import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export type FakeClamd = Awaited<ReturnType<typeof openFakeClamd>>;

/** Returns the file sent by INSTREAM once it is complete, null before that. */
function fileIn(received: Buffer): Buffer | null {
  const command = "zINSTREAM\0";
  if (received.subarray(0, command.length).toString("latin1") !== command) return null;
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    if (at + 4 + length > received.length) return null;
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

/** Listens like clamd and answers by a script: a text to send, or a function that handles the connection. */
export async function openFakeClamd() {
  const files: Buffer[] = [];
  let script: (file: Buffer, socket: Socket) => string | null | Promise<string | null> = () => "stream: OK\0";
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      const file = fileIn(received);
      if (file === null) return;
      socket.pause();
      files.push(file);
      void Promise.resolve(script(file, socket)).then((answer) => {
        if (answer !== null) socket.end(answer);
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `tcp://127.0.0.1:${port}`,
    port,
    /** The completely received files. */
    files,
    answer(by: typeof script): void {
      script = by;
    },
    close: () => void server.close(),
  };
}
