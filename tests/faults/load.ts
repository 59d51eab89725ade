import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { documentKinds } from "#domain/document.ts";
import type { Bidder } from "#tests/history/bidder.ts";
import type { Lot, Operation } from "#tests/history/operation.ts";
import { bidAtRandom } from "#tests/history/random-bids.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { signUpForm } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";

/** The kinds of requests that people send during a fault. */
export const kinds = ["bid", "page", "item", "list", "upload", "sign-up"] as const;
export type Kind = (typeof kinds)[number];

/** One request and its result; times are by this process's monotonic clock. `status` 0 means no answer at all. */
export type CompletedRequest = {
  kind: Kind;
  status: number;
  code: string;
  sentAt: number;
  answeredAt: number;
};

/** Acknowledged writes, which must exist afterwards. */
type AcknowledgedWork = { documents: string[]; emails: string[] };

export type Load = {
  done: readonly CompletedRequest[];
  acknowledged: AcknowledgedWork;
  /** Waits for pending requests; returns the bids with their answers. */
  finish(): Promise<Operation[]>;
};

type People = { urls: readonly string[]; bidders: readonly Bidder[]; lots: readonly Lot[] };

/** Returns a random address, so that limits per address refuse nothing. */
const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const codeOf = (text: string): string => /"code":"([^"]+)"/.exec(text)?.[1] ?? "";

/** Starts people who bid, load pages, upload documents and sign up, on all nodes. */
export function startLoad({ urls, bidders, lots }: People, seed: number): Load {
  const done: CompletedRequest[] = [];
  const acknowledged: AcknowledgedWork = { documents: [], emails: [] };
  const over = new AbortController();
  let turn = 0;
  const url = () => urls[turn++ % urls.length] ?? "";

  async function send(kind: Kind, path: string, init: RequestInit = {}): Promise<string | null> {
    const sentAt = performance.now();
    const at = { kind, sentAt };
    try {
      const response = await fetch(url() + path, init);
      const text = await response.text();
      done.push({ ...at, status: response.status, code: codeOf(text), answeredAt: performance.now() });
      return response.status === 200 ? text : null;
    } catch (error) {
      done.push({ ...at, status: 0, code: String(error), answeredAt: performance.now() });
      return null;
    }
  }

  const call = (kind: Kind, procedure: string, input: object, headers: Record<string, string> = {}) =>
    send(kind, `/rpc/${procedure}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc", ...headers },
      body: JSON.stringify({ json: input }),
    });

  /**
   * Sends requests this many milliseconds apart, at most `concurrency` at a time, so that a slow one doesn't delay the
   * others.
   */
  async function repeat(pause: number, concurrency: number, work: () => Promise<unknown>): Promise<void> {
    const running = new Set<Promise<unknown>>();
    while (!over.signal.aborted) {
      if (running.size < concurrency) {
        const one = work().finally(() => running.delete(one));
        running.add(one);
      }
      await setTimeout(pause);
    }
    await Promise.all(running);
  }

  let page = 0;
  const lot = () => lots[page++ % lots.length]?.id ?? "";
  // Each slot of each student is used once: a third file in a slot would replace the first one.
  const slots = bidders.flatMap(({ cookie }) => documentKinds.map((kind) => ({ cookie, kind })));

  async function upload(): Promise<void> {
    const slot = slots.pop();
    if (!slot) return;
    const headers = { ...uploadHeaders("a file.pdf"), cookie: slot.cookie };
    const answer = await send("upload", `/files/documents/${slot.kind}`, {
      method: "POST",
      headers,
      body: new Uint8Array(pdf(20_000)),
    });
    const id = /"id":"([\w-]+)"/.exec(answer ?? "")?.[1];
    if (id !== undefined) acknowledged.documents.push(id);
  }

  async function signUp(): Promise<void> {
    const form = signUpForm();
    const answer = await call("sign-up", "account/signUp", form, { "x-forwarded-for": someAddress() });
    if (answer !== null) acknowledged.emails.push(form.email);
  }

  const loops = [
    repeat(60, 8, () => send("page", `/auctions?page=${page++ % 5}`)),
    repeat(60, 8, () => send("item", `/auctions/products/${lot()}`)),
    repeat(60, 8, () => call("list", "auctions/list", {})),
    repeat(250, 8, upload),
    // Hashing a password occupies a core for a while.
    repeat(1_000, 2, signUp),
  ];
  const bidding = bidAtRandom({
    urls,
    // With fewer bidders, one would raise their own bid on an item more often than the allowed 60 times a minute.
    bidders: bidders.slice(0, 8),
    lots,
    seed,
    goOn: () => !over.signal.aborted,
    onAnswer({ answer, sentAt, answeredAt }) {
      const isKnown = answer.kind !== "unknown";
      const why = answer.kind === "unknown" ? answer.why : answer.kind;
      done.push({
        kind: "bid",
        status: isKnown ? 200 : why === "unavailable" ? 503 : 0,
        code: why,
        sentAt,
        answeredAt,
      });
    },
  });

  return {
    done,
    acknowledged,
    async finish() {
      over.abort();
      const [operations] = await Promise.all([bidding, ...loops]);
      return operations;
    },
  };
}
