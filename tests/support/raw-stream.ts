import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { heartbeatEvent } from "#protocol/live-topic.ts";

/** A browser's event stream on its own connection, byte by byte, which can stop reading. */
export class RawStream {
  readonly socket: Socket;
  /** Everything received so far, including the head. */
  text = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => {
      this.text += bytes.toString();
    });
    // The server may cut the connection: the data received so far count.
    socket.on("error", () => {});
  }

  /** Opens the stream, and waits for the beginning of its answer. */
  static async open(port: number, topics: string, headers = ""): Promise<RawStream> {
    const stream = new RawStream(connect(port, "127.0.0.1"));
    stream.socket.write(`GET /live?topics=${topics} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`);
    await once(stream.socket, "data");
    return stream;
  }

  /** Returns the data of the complete events but heartbeats, oldest first. */
  events(): string[] {
    const events = [...this.text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)];
    return events.flatMap(([, name, data = ""]) => (name === heartbeatEvent ? [] : [data]));
  }

  countHeartbeats(): number {
    return this.text.split(`event: ${heartbeatEvent}\n`).length - 1;
  }
}
