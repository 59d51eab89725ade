import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import type { ContractRouterClient } from "@orpc/contract";
import type { Hono } from "hono";
import type { contract } from "#contract/index.ts";

/** The answer to a call: the output, or the error's code, message and data. */
export type Answer = {
  status: number;
  body: unknown;
  code: string | null;
  message: string | null;
  headers: Headers;
};

type Options = { address?: string; headers?: Record<string, string>; body?: string };

/** A browser as the server sees it: it keeps cookies and calls procedures. */
export class Caller {
  readonly cookies = new Map<string, string>();
  readonly #app: Hono;
  readonly #address: string;

  constructor(app: Hono, address = "203.0.113.7") {
    this.#app = app;
    this.#address = address;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Sends a request as the browser's page does, from the socket address that the server sees. */
  async request(path: string, init: RequestInit, address = this.#address): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) headers.set("cookie", this.cookie);
    const env = { incoming: { socket: { remoteAddress: address } } };
    const response = await this.#app.request(path, { ...init, headers }, env);
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  #keep(line: string) {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    if (value === "" || attributes.includes("Max-Age=0")) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Returns a browser with the same session at another node. */
  on(app: Hono): Caller {
    const twin = new Caller(app, this.#address);
    for (const [name, value] of this.cookies) twin.cookies.set(name, value);
    return twin;
  }

  /** The procedures, typed by the contract; a refusal rejects. */
  readonly api: ContractRouterClient<typeof contract> = createORPCClient(
    new RPCLink({
      url: "http://localhost/rpc",
      headers: { "x-csrf-token": "orpc" },
      fetch: async (request) =>
        await this.request(new URL(request.url).pathname, {
          method: request.method,
          headers: request.headers,
          body: await request.text(),
        }),
    }),
  );

  /** Calls a procedure such as `account.signIn` with any input; a refusal is returned as an answer. */
  async call(procedure: string, input: unknown = {}, options: Options = {}): Promise<Answer> {
    const response = await this.request(
      `/rpc/${procedure.replace(".", "/")}`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "x-csrf-token": "orpc", ...options.headers },
        body: options.body ?? JSON.stringify({ json: input }),
      },
      options.address,
    );
    return await read(response);
  }
}

/** Returns the text under a key of an answer; "" if it is missing. */
export function textIn(body: unknown, key: string): string {
  const value: unknown = new Map(Object.entries(Object(body))).get(key);
  return typeof value === "string" ? value : "";
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const body: unknown = text.startsWith("{") ? JSON.parse(text).json : text;
  const failed = response.status >= 400;
  return {
    status: response.status,
    body,
    code: failed ? textIn(body, "code") || null : null,
    message: failed ? textIn(body, "message") || null : null,
    headers: response.headers,
  };
}
