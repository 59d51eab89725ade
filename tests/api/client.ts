import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";

/** A request to be sent by `fetch` or a replacement of it. */
type Request = { method: string; headers: Record<string, string>; body?: string };
type Send = (url: string, init: Request) => Promise<Response>;

const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.unknown().optional(),
});
/** The parts of an OpenAPI document that every client reads. */
const document = z.object({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.unknown()),
});
const event = z.object({ type: z.string(), data: z.record(z.string(), z.string()) });
type Event = z.infer<typeof event>;
/** Maximum age of a message in seconds. */
const maxAge = 300;
const json = z.record(z.string(), z.unknown());
type Json = z.infer<typeof json>;

/**
 * A client as a third party would write it: it only knows the URL of the OpenAPI document and the names of its
 * operations, and uses none of Wayfare's code.
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

  /** Calls an operation. The input's path and query parameters go into the URL, the rest into the body. */
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
    const content = {
      ...(takesKey && { key: crypto.randomUUID() }),
      ...(requestBody !== undefined && { body: Object.fromEntries(rest) }),
    };
    return { url, ...(await this.#ask(method, url, content)) };
  }

  async call(operationId: string, input: Record<string, string | number> = {}): Promise<Json> {
    return (await this.#call(operationId, input)).answer;
  }

  /**
   * Verifies and reads a message to the webhook with this secret; throws if it is forged, too old, or of an undeclared
   * type.
   */
  readMessage(secret: string, { headers, body }: { headers: IncomingHttpHeaders; body: string }): Event {
    const header = (name: string) => String(headers[name]);
    const sentAt = header("webhook-timestamp");
    const signed = `${header("webhook-id")}.${sentAt}.${body}`;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const right = Buffer.from(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
    const signatures = header("webhook-signature")
      .split(" ")
      .map((each) => Buffer.from(each));
    if (!signatures.some((each) => each.length === right.length && timingSafeEqual(each, right)))
      throw new Error("The message is forged.");
    if (Math.abs(Date.now() / 1000 - Number(sentAt)) > maxAge) throw new Error("The message is old.");
    const read = event.parse(JSON.parse(body));
    if (!Object.hasOwn(this.#document.webhooks, read.type))
      throw new Error(`The document has no event ${read.type}.`);
    return read;
  }

  /** Yields every page of a list in order. */
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
