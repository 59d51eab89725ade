import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** How a request is sent: `fetch`, or what answers in its place. */
type Request = { method: string; headers: Record<string, string>; body?: string };
type Send = (url: string, init: Request) => Promise<Response>;

const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.unknown().optional(),
});
/** What every client reads of an OpenAPI document. */
const document = z.object({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.unknown()),
});
const event = z.object({ type: z.string(), data: z.record(z.string(), z.string()) });
type Event = z.infer<typeof event>;
/** Seconds that a message may be old. */
const longestOnItsWay = 300;
const json = z.record(z.string(), z.unknown());
type Json = z.infer<typeof json>;

/**
 * A program of somebody else's, that knows nothing but where the OpenAPI document is and what its operations are called:
 * nothing here comes from Wayfare's code.
 */
export class ApiClient {
  readonly #send: Send;
  readonly #key: string;
  readonly #document: z.infer<typeof document>;

  private constructor(send: Send, key: string, read: z.infer<typeof document>) {
    this.#send = send;
    this.#key = key;
    this.#document = read;
  }

  static async open(documentUrl: string, key: string, send: Send = fetch): Promise<ApiClient> {
    const response = await send(documentUrl, { method: "GET", headers: {} });
    return new ApiClient(send, key, document.parse(await response.json()));
  }

  #find(operationId: string) {
    for (const [path, methods] of Object.entries(this.#document.paths))
      for (const [method, each] of Object.entries(methods))
        if (each.operationId === operationId) return { method: method.toUpperCase(), path, ...each };
    throw new Error(`The document has no operation ${operationId}.`);
  }

  async #ask(method: string, url: string, { body, key }: { body?: Json; key?: string } = {}) {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}` };
    if (body) headers["content-type"] = "application/json";
    if (key !== undefined) headers["idempotency-key"] = key;
    const response = await this.#send(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const answer = json.parse(await response.json());
    if (!response.ok) throw Object.assign(new Error(String(answer["title"])), answer);
    return { answer, next: /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] };
  }

  /** Calls an operation; what stands in its address and its query is taken out of the input, the rest is the body. */
  async #call(operationId: string, input: Record<string, string | number>) {
    const { method, path, parameters, requestBody } = this.#find(operationId);
    const rest = new Map(Object.entries(input));
    let address = this.#document.servers[0].url + path;
    const query = new URLSearchParams();
    for (const { name, in: place } of parameters) {
      const value = rest.get(name);
      if (value === undefined) continue;
      if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
      if (place === "query") query.set(name, String(value));
      rest.delete(name);
    }
    const takesKey = parameters.some(
      ({ name, in: place }) => place === "header" && name === "Idempotency-Key",
    );
    const url = query.size > 0 ? `${address}?${query.toString()}` : address;
    const sent = {
      ...(takesKey && { key: crypto.randomUUID() }),
      ...(requestBody !== undefined && { body: Object.fromEntries(rest) }),
    };
    return { url, ...(await this.#ask(method, url, sent)) };
  }

  async call(operationId: string, input: Record<string, string | number> = {}): Promise<Json> {
    return (await this.#call(operationId, input)).answer;
  }

  /** What a message to the webhook with this secret says; throws for one that is forged, old, or of no type that there is. */
  readMessage(secret: string, { headers, body }: { headers: IncomingHttpHeaders; body: string }): Event {
    const header = (name: string) => String(headers[name]);
    const sentAt = header("webhook-timestamp");
    const signed = `${header("webhook-id")}.${sentAt}.${body}`;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const right = Buffer.from(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    const given = header("webhook-signature")
      .split(" ")
      .map((each) => Buffer.from(each));
    if (!given.some((each) => each.length === right.length && timingSafeEqual(each, right)))
      throw new Error("The message is forged.");
    if (Math.abs(Date.now() / 1000 - Number(sentAt)) > longestOnItsWay)
      throw new Error("The message is old.");
    const read = event.parse(JSON.parse(body));
    if (!Object.hasOwn(this.#document.webhooks, read.type))
      throw new Error(`The document has no event ${read.type}.`);
    return read;
  }

  /** Every page of a list, one after the other. */
  async *pages(operationId: string, input: Record<string, string | number> = {}): AsyncGenerator<Json> {
    let { url, answer, next } = await this.#call(operationId, input);
    for (;;) {
      yield answer;
      if (next === undefined) return;
      url = new URL(next, url).href;
      ({ answer, next } = await this.#ask("GET", url));
    }
  }
}
