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
    return (await this.nextEvent())?.name ?? null;
  }

  /** Returns the next event; null when the stream has ended. */
  async nextEvent(): Promise<{ name: string; data: string } | null> {
    for (;;) {
      const event = /event: (.*)\ndata: (.*)\n\n/.exec(this.#text);
      if (event) {
        this.#text = this.#text.slice(event.index + event[0].length);
        const [, name = "", data = ""] = event;
        return { name, data };
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
