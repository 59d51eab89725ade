import { randomUUID } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { product } from "#tests/support/auctions.ts";
import { Caller } from "#tests/support/caller.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let seller: Person;
let productId: string;
beforeAll(async () => {
  w = await wayfare();
  seller = await person(w, "student", "active");
  productId = await product(w, seller);
});
afterAll(() => w.stop());

const json = { "content-type": "application/json", "x-csrf-token": "orpc" };
const list = (headers: Record<string, string> = {}, search = "") =>
  w.app.request("/rpc/auctions/list", {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ json: { search } }),
  });

describe("a request that is no valid call is refused with a fitting status", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE"])("%s", async (method) => {
    const answer = await w.app.request("/rpc/account/me", { method, headers: json });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded"])("%s", async (type) => {
    const headers = { ...json, "content-type": type };
    const answer = await w.app.request("/rpc/account/me", { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ json: { code: "invalid-argument" } });
  });

  test("an upload of another type", async () => {
    const headers = { ...json, cookie: seller.caller.cookie };
    const answer = await w.app.request("/files/documents/passport", { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(415);
  });

  test("a body over the limit, whether its length is announced or not", async () => {
    const body = JSON.stringify({ json: { email: "x".repeat(128 * 1024) } });
    for (const headers of [json, { ...json, "content-length": String(body.length) }]) {
      const answer = await w.app.request("/rpc/account/signIn", { method: "POST", headers, body });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ json: { code: "invalid-argument" } });
    }
  });
});

describe("JSON is compressed", () => {
  test("from a kilobyte on, for clients that accept it", async () => {
    for (let count = 0; count < 8; count++) await product(w, seller);
    const plain = await list();
    expect(plain.headers.get("content-encoding")).toBeNull();
    const text = await plain.text();
    expect(text.length).toBeGreaterThan(1024);
    const short = await list({ "accept-encoding": "gzip, br" });
    expect(short.headers.get("content-encoding")).toBe("br");
    expect(short.headers.get("vary")).toBe("accept-encoding");
    const products = (json: string): unknown => JSON.parse(json).json.products;
    expect(products(brotliDecompressSync(await short.arrayBuffer()).toString())).toEqual(products(text));
  });

  test("but not in a short answer", async () => {
    const headers = { ...json, "accept-encoding": "gzip" };
    const answer = await w.app.request("/rpc/account/me", { method: "POST", headers, body: "{}" });
    expect(answer.headers.get("content-encoding")).toBeNull();
  });
});

describe("an unchanged answer is not sent again", () => {
  const get = (path: string, headers: Record<string, string> = {}) => w.app.request(path, { headers });

  test("a product's state, until the next bid", async () => {
    const path = `/auctions/products/${productId}`;
    const etag = (await get(path)).headers.get("etag") ?? "";
    const again = await get(path, { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect(Number(again.headers.get("x-server-time"))).toBeGreaterThan(0);
    const bidder = await person(w, "student", "active");
    const bid = { productId, amount: 20_000, idempotencyKey: randomUUID() };
    expect((await bidder.caller.call("auctions.bid", bid)).status).toBe(200);
    expect((await get(path, { "if-none-match": etag })).status).toBe(200);
  });

  test("a product's state, which equals the answer of its procedure", async () => {
    const path = `/auctions/products/${productId}`;
    const { api } = new Caller(w.app);
    expect(await (await get(path)).json()).toEqual(await api.auctions.product({ productId }));
    const missing = await (await get(path.replace(productId, randomUUID()))).json();
    expect(missing).toMatchObject({ code: "not-found", status: 404, defined: true });
  });
});

describe("a request's id", () => {
  test("is in every answer, and in the log of a failure", async () => {
    for (const path of ["/healthz", "/rpc/no/such", `/auctions/products/${productId}`, "/nowhere"])
      expect((await w.app.request(path)).headers.get("x-request-id"), path).toMatch(/^[\w-]{36}$/);
    vi.spyOn(w.services.searches, "run").mockRejectedValueOnce(new Error("a bug"));
    const failed = await list({}, "walnut");
    expect(failed.status).toBe(500);
    const requestId = failed.headers.get("x-request-id");
    expect(w.log.at(-1)).toMatchObject({ msg: "a procedure failed", requestId });
    expect(await failed.json()).toMatchObject({ json: { code: "internal", data: { requestId } } });
  });

  test("is in every log line of that request, however deep, and in no other's", async () => {
    const { log, searches } = w.services;
    const search = vi.spyOn(searches, "run").mockImplementation(async () => {
      log.warn("before");
      await new Promise((resolve) => setImmediate(resolve));
      log.warn("after");
      return [];
    });
    const before = w.log.length;
    const answers = await Promise.all([list({}, "walnut"), list({}, "oak"), list({}, "teak")]);
    search.mockRestore();
    const lines = w.log.slice(before).filter(({ msg }) => msg === "before" || msg === "after");
    for (const { headers } of answers) {
      const own = lines.filter(({ requestId }) => requestId === headers.get("x-request-id"));
      expect(own.map(({ msg }) => msg)).toEqual(["before", "after"]);
    }
    log.warn("of no request");
    expect(w.log.at(-1)).not.toHaveProperty("requestId");
  });

  test("for one bid is not in a log line about a batch of bids", async () => {
    const bidder = await person(w, "student", "active");
    const connect = vi.spyOn(w.services.database.pipelines, "connect");
    connect.mockImplementation(() => {
      throw new Error("no connection");
    });
    const bid = { productId, amount: 900_000, idempotencyKey: randomUUID() };
    expect((await bidder.caller.call("auctions.bid", bid)).status).toBe(503);
    connect.mockRestore();
    expect(w.log.find(({ msg }) => msg === "bids could not be decided")).not.toHaveProperty("requestId");
  });

  test("is taken from a trusted proxy, and from no other client", async () => {
    const headers = { "x-request-id": "of-the-proxy" };
    expect((await list(headers)).headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
    const behind = await wayfare({ variables: { TRUST_PROXY: "1", TRUST_REQUEST_IDS: "on" }, on: w.address });
    onTestFinished(() => behind.stop());
    const answer = await behind.app.request("/healthz", { headers });
    expect(answer.headers.get("x-request-id")).toBe("of-the-proxy");
  });
});
