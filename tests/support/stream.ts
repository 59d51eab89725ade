import type { Caller } from "./caller.ts";

/** One browser's event stream, read as it arrives. */
export class Stream {
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #controller: AbortController;
  #text = "";

  private constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>, controller: AbortController) {
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
    this.#controller = controller;
  }

  /** Opens the stream, or returns the status with which it was refused. */
  static async open(caller: Caller, topics: string): Promise<Stream | number> {
    const controller = new AbortController();
    const response = await caller.request(`/live?topics=${topics}`, { signal: controller.signal });
    return response.ok && response.body ? new Stream(response.body, controller) : response.status;
  }

  /** Returns the name of the next event; null when the stream has ended. */
  async next(): Promise<string | null> {
    for (;;) {
      const found = /event: (.*)\n/.exec(this.#text);
      if (found) {
        this.#text = this.#text.slice(found.index + found[0].length);
        return found[1] ?? "";
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#text += value;
    }
  }

  /** Disconnects, as a closed tab does. */
  async leave(): Promise<void> {
    await this.#reader.cancel();
    this.#controller.abort();
  }
}

export async function openStream(caller: Caller, topics = "account"): Promise<Stream> {
  const stream = await Stream.open(caller, topics);
  if (typeof stream === "number") throw new Error(`the stream was refused with ${stream}`);
  return stream;
}
