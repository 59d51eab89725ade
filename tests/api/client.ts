/** How a request is sent: `fetch`, or what answers in its place. */
type Send = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<Response>;
// biome-ignore lint/suspicious/noExplicitAny: a program in another language has no types of ours either
type Json = any;

/**
 * A program of somebody else's, that knows nothing but where the OpenAPI document is and what its operations are called:
 * nothing here comes from Wayfare's code.
 */
export class ApiClient {
  readonly #send: Send;
  readonly #key: string;
  readonly #document: Json;

  private constructor(send: Send, key: string, document: Json) {
    this.#send = send;
    this.#key = key;
    this.#document = document;
  }

  static async open(documentUrl: string, key: string, send: Send = fetch): Promise<ApiClient> {
    const response = await send(documentUrl, { method: "GET", headers: {} });
    return new ApiClient(send, key, await response.json());
  }

  #find(operationId: string): { method: string; path: string; operation: Json } {
    for (const [path, methods] of Object.entries<Json>(this.#document.paths))
      for (const [method, operation] of Object.entries<Json>(methods))
        if (operation.operationId === operationId) return { method: method.toUpperCase(), path, operation };
    throw new Error(`The document has no operation ${operationId}.`);
  }

  async #ask(method: string, url: string, body?: Json, idempotencyKey?: string) {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#key}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.#send(url, { method, headers, ...text });
    const answer: Json = await response.json();
    if (!response.ok) throw Object.assign(new Error(answer.title), answer);
    return { answer, next: /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] };
  }

  /** Calls an operation; what stands in its address and its query is taken out of the input, the rest is the body. */
  async #call(operationId: string, input: Record<string, Json>) {
    const { method, path, operation } = this.#find(operationId);
    const rest = { ...input };
    let address: string = this.#document.servers[0].url + path;
    const query = new URLSearchParams();
    let key: string | undefined;
    for (const { name, in: place } of operation.parameters ?? []) {
      if (place === "header" && name === "Idempotency-Key") key = crypto.randomUUID();
      if (rest[name] === undefined) continue;
      if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(rest[name]));
      if (place === "query") query.set(name, rest[name]);
      delete rest[name];
    }
    const url = query.size > 0 ? `${address}?${query.toString()}` : address;
    return { url, ...(await this.#ask(method, url, operation.requestBody ? rest : undefined, key)) };
  }

  async call(operationId: string, input: Record<string, Json> = {}): Promise<Json> {
    return (await this.#call(operationId, input)).answer;
  }

  /** Every page of a list, one after the other. */
  async *pages(operationId: string, input: Record<string, Json> = {}): AsyncGenerator<Json> {
    let { url, answer, next } = await this.#call(operationId, input);
    for (;;) {
      yield answer;
      if (next === undefined) return;
      url = new URL(next, url).href;
      ({ answer, next } = await this.#ask("GET", url));
    }
  }
}
