import { request } from "node:http";
import { z } from "zod";

/** Milliseconds after which a browser reopens a stream: the delay that the server's stream requests. */
const retry = 1000;
const state = z.object({ version: z.number(), price: z.number(), bidCount: z.number() });
type State = z.infer<typeof state>;
const update = z.object({ product: state.nullable() });

/** A page that watches products like a browser: it reopens its stream whenever it ends, and then fetches the state. */
export class OpenPage {
  readonly #url: string;
  readonly productIds: readonly string[];
  /** The time when the page learnt of each bid, by product and number of the bid. */
  readonly #arrivals = new Map<string, number[]>();
  /** The newest state of each product. */
  readonly #states = new Map<string, State>();
  #closed = false;
  #cut: () => void = () => {};
  opened = 0;

  constructor(url: string, productIds: readonly string[]) {
    this.#url = url;
    this.productIds = productIds;
    void this.#watch();
  }

  /** Returns when the page learnt of this bid, or null. */
  knewAt(productId: string, number: number): number | null {
    return this.#arrivals.get(productId)?.[number] ?? null;
  }

  /** Returns the state that the page shows of a product; null while it shows none. */
  shown(productId: string): State | null {
    return this.#states.get(productId) ?? null;
  }

  close(): void {
    this.#closed = true;
    this.#cut();
  }

  async #watch(): Promise<void> {
    while (!this.#closed) {
      await this.#readStream().catch(() => {});
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, retry));
    }
  }

  /** Resolves when the stream has ended in any way. */
  async #readStream(): Promise<void> {
    const topics = this.productIds.map((id) => `product:${id}`).join(",");
    await new Promise<void>((resolve) => {
      const asking = request(`${this.#url}/live?topics=${topics}`, { agent: false });
      this.#cut = () => asking.destroy();
      asking.on("error", () => resolve());
      asking.on("response", (response) => {
        response.on("close", resolve).on("error", () => resolve());
        if (response.statusCode !== 200) return void response.resume();
        this.opened++;
        for (const id of this.productIds) void this.#ask(id).catch(() => {});
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          const parts = text.split("\n\n");
          text = parts.pop() ?? "";
          for (const part of parts) this.#read(part);
        });
      });
      asking.end();
    });
  }

  #read(event: string): void {
    const [, id = "", data = ""] = /^event: product:(.+)\ndata: (.+)$/.exec(event) ?? [];
    if (data === "") return;
    const { product } = update.parse(JSON.parse(data));
    if (product) this.#learn(id, product);
  }

  async #ask(id: string): Promise<void> {
    for (;;) {
      const answer = await fetch(`${this.#url}/auctions/products/${id}`).catch(() => null);
      if (answer?.ok) return this.#learn(id, state.parse(await answer.json()));
      await answer?.body?.cancel();
      if (this.#closed) return;
      await new Promise((resolve) => setTimeout(resolve, retry));
    }
  }

  #learn(id: string, state: State): void {
    if (state.version < (this.#states.get(id)?.version ?? 0)) return;
    this.#states.set(id, state);
    const arrivals = this.#arrivals.get(id) ?? [];
    this.#arrivals.set(id, arrivals);
    const now = performance.now();
    while (arrivals.length <= state.bidCount) arrivals.push(now);
  }
}
