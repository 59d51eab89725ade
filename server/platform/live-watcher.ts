import type { ServerResponse } from "node:http";
import { heartbeatEvent, signedOutEvent } from "#protocol/live-topic.ts";

/** Bytes that may wait in one watcher's stream before only the latest event of each channel is kept for it. */
const streamBuffer = 16 * 1024;
/** Milliseconds for a browser to read the last bytes after the end. */
const lastBytesTimeout = 10_000;

/** The destination of a watcher's bytes: a browser's connection, or the body of a response. */
type Sink = {
  /** Whether fewer than `streamBuffer` bytes wait to be read. */
  hasRoom(): boolean;
  write(bytes: Buffer): void;
  /** Ends the stream after the bytes that wait in it. */
  end(): void;
  /** Ends the stream immediately, without the bytes that wait in it. */
  cut(): void;
};
/** Callbacks of a sink: there is room again, or the browser has left. */
type Reader = { drained(): void; gone(): void };
export type OpenSink = (reader: Reader) => Sink;

/** An account's session, or a visitor, who is counted by address. */
export type Holder =
  | {
      userId: string;
      sessionId: string;
      expiresAt: Date;
      stillSignedIn(): Promise<boolean>;
      /** Returns JSON for the event that ends the stream with its session. */
      endEventData(): Promise<string>;
    }
  | { visitor: string };

export type Watcher = ReturnType<typeof createWatcher>;

export const frame = (name: string, data: string) => Buffer.from(`event: ${name}\ndata: ${data}\n\n`);
const opening = Buffer.from("retry: 1000\n\n");
const ping = frame(heartbeatEvent, "{}");

/**
 * Creates one browser's stream. `names`: the event's name for each channel, which may change. `onEnd` is called once,
 * however the stream ends. `beatEvery`: milliseconds between heartbeats.
 */
export function createWatcher(
  holder: Holder,
  names: Map<string, string>,
  openSink: OpenSink,
  beatEvery: number,
  onEnd: () => void,
) {
  /** The latest event of each channel that there was no room for. Only a slow watcher has this map. */
  let waiting: Map<string, Buffer> | null = null;
  let ended = false;
  let isRead = true;
  const sink = openSink({
    drained,
    gone() {
      isRead = false;
      gone();
    },
  });
  const heartbeats = setInterval(() => void heartbeat(), beatEvery);
  sink.write(opening);

  /** `merged` replaces this event while a different one of its channel waits; by default this event does. */
  function push(channel: string, bytes: Buffer, merged = bytes): void {
    if (ended) return;
    if (waiting === null && sink.hasRoom()) return sink.write(bytes);
    waiting ??= new Map<string, Buffer>();
    const former = waiting.get(channel);
    waiting.set(channel, former && !former.equals(bytes) ? merged : bytes);
  }

  function drained() {
    for (const [channel, bytes] of waiting ?? []) {
      if (ended || !sink.hasRoom()) return;
      waiting?.delete(channel);
      sink.write(bytes);
    }
    waiting = null;
  }

  function gone() {
    if (ended) return;
    ended = true;
    waiting = null;
    clearInterval(heartbeats);
    onEnd();
  }

  function end(): void {
    if (ended) return;
    gone();
    sink.end();
  }

  /** Ends the stream with the event that says why. Nothing else reaches the browser from now on. */
  async function signOut(): Promise<void> {
    if (ended) return;
    gone();
    const data = "visitor" in holder ? "{}" : await holder.endEventData().catch(() => "{}");
    if (!isRead) return;
    sink.write(frame(signedOutEvent, data));
    sink.end();
  }

  const isSignedIn = async (): Promise<boolean> =>
    "visitor" in holder ||
    (holder.expiresAt > new Date() && (await holder.stillSignedIn().catch(() => true)));

  /** Sends a heartbeat. Ends the stream instead if the session is over or the browser hasn't read the last one. */
  async function heartbeat(): Promise<void> {
    if (!(await isSignedIn())) return await signOut();
    if (waiting?.get("") !== ping) return push("", ping);
    gone();
    sink.cut();
  }

  return {
    holder,
    names,
    push,
    /** Ends the stream from our side. */
    end,
    signOut,
  };
}

/**
 * Writes a watcher's bytes directly to the browser's connection, which costs little more than the system's own write:
 * the head declares neither length nor chunks, so that the body lasts until the connection closes (RFC 9112, 6.3). Null
 * while the connection still answers an earlier request.
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
        // The socket's drain event has its own threshold. A write beyond ours calls back once it has been sent.
        if (socket.writableLength + bytes.length < streamBuffer) socket.write(bytes);
        else socket.write(bytes, drained);
      },
      end() {
        outgoing.end();
        socket.setTimeout(lastBytesTimeout, () => socket.destroy());
      },
      cut: () => void socket.destroy(),
    };
  };
}

/** Writes a watcher's bytes as the body of a response, where there is no connection to write to. */
export function bodyOfSink(open: (openSink: OpenSink) => void): ReadableStream<Uint8Array> {
  let reader: Reader | undefined;
  const openOn =
    (controller: ReadableStreamDefaultController<Uint8Array>): OpenSink =>
    (newReader) => {
      reader = newReader;
      return {
        hasRoom: () => (controller.desiredSize ?? 0) > 0,
        write: (bytes) => controller.enqueue(bytes),
        end: () => controller.close(),
        cut: () => controller.error(new Error("nobody reads this stream")),
      };
    };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => open(openOn(controller)),
      pull: () => reader?.drained(),
      cancel: () => reader?.gone(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: streamBuffer }),
  );
}
