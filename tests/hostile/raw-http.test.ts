import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLimitedServer } from "#server/platform/connections.ts";
import { seed } from "#tests/access/fuzz/fuzz.ts";
import { person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

/** Number of runs; `npm run test:security` makes more. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 200);

let w: Wayfare;
let server: Server;
let port: number;
/** The Cookie headers of every kind of account; "" for a visitor. */
let cookies: string[];
beforeAll(async () => {
  w = await wayfare();
  server = createLimitedServer(w.app.fetch, w.environment);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  const people = await Promise.all([
    person(w, "student", "active"),
    person(w, "agent", "approved"),
    person(w, "agent", "pending"),
    person(w, "admin", "active"),
  ]);
  cookies = ["", ...people.map(({ caller }) => `cookie: ${caller.cookie}\r\n`)];
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await w.stop();
});

/** Sends these bytes on a new connection and returns everything that the server answers. */
async function send(bytes: string | Buffer, { reset = false } = {}): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
    // An event stream never ends.
    if (text.includes("text/event-stream")) socket.destroy();
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => void socket.once("close", resolve));
  if (reset) socket.write(bytes, "latin1", () => socket.resetAndDestroy());
  else {
    socket.write(bytes, "latin1");
    // Waits until all requests in the bytes are answered: a client that ends immediately only gets the first answer,
    // even if requests were hidden behind it.
    for (let round = 0; round < 3; round++) await (await fetch(`http://127.0.0.1:${port}/healthz`)).text();
    socket.end();
  }
  await closed;
  return text;
}

const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));

/**
 * Expects at most `most` answers and no internal error. A 400 may follow an answered request, because the rest of its
 * bytes can't be parsed.
 */
async function expectNoError(bytes: string | Buffer, most = 1): Promise<number[]> {
  const text = await send(bytes);
  const codes = statuses(text);
  const exchange = `${String(bytes).slice(0, 400)}\n→ ${text.slice(0, 400)}`;
  expect(codes.filter((status) => status !== 400).length, exchange).toBeLessThanOrEqual(most);
  expect(
    codes.filter((status) => status >= 500),
    exchange,
  ).toEqual([]);
  return codes;
}

const host = "host: localhost\r\n";
const json = '{"json":{}}';
const rpc = "content-type: application/json\r\nx-csrf-token: orpc\r\n";
/** A hidden request must never be answered, because it is inside a body. */
const hidden = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
const post = (headers: string, body: string, path = "/rpc/account/me", version = "1.1") =>
  `POST ${path} HTTP/${version}\r\n${host}${rpc}${headers}\r\n${body}`;
const chunked = "transfer-encoding: chunked\r\n";

/** Bytes that must be refused, or treated as one request. */
const oneAtMost: Record<string, string> = {
  "length and chunks": post(`content-length: 6\r\n${chunked}`, `0\r\n\r\n${hidden}`),
  "chunks and length": post(`${chunked}content-length: 4\r\n`, `5c\r\n${hidden}\r\n0\r\n\r\n`),
  "two lengths": post("content-length: 2\r\ncontent-length: 60\r\n", `{}${hidden}`),
  "two equal lengths": post("content-length: 2\r\ncontent-length: 2\r\n", `{}`),
  "lengths in a list": post("content-length: 2, 60\r\n", `{}${hidden}`),
  "a length with a sign": post("content-length: +2\r\n", `{}${hidden}`),
  "a negative length": post("content-length: -2\r\n", `{}${hidden}`),
  "a length in hex": post("content-length: 0x2\r\n", `{}${hidden}`),
  "a length beyond all numbers": post("content-length: 99999999999999999999\r\n", "{}"),
  "a blank before the colon": post("content-length : 2\r\n", `{}${hidden}`),
  "chunked with a blank": post("transfer-encoding : chunked\r\n", `0\r\n\r\n${hidden}`),
  "chunked with a tab": post("transfer-encoding:\tchunked\r\ncontent-length: 3\r\n", `0\r\n\r\n${hidden}`),
  "chunked, written otherwise": post("transfer-encoding: xchunked\r\n", `0\r\n\r\n${hidden}`),
  "chunked twice": post("transfer-encoding: chunked, chunked\r\n", `0\r\n\r\n${hidden}`),
  "chunked, then identity": post("transfer-encoding: chunked, identity\r\n", `0\r\n\r\n${hidden}`),
  "two encodings": post(`${chunked}transfer-encoding: identity\r\n`, `0\r\n\r\n${hidden}`),
  "a folded header": post("content-length: 2\r\n  0\r\n", `{}${hidden}`),
  "a chunk that is longer than it says": post(chunked, `2\r\n{}${hidden}\r\n0\r\n\r\n`),
  "a chunk of negative length": post(chunked, `-1\r\n{}\r\n0\r\n\r\n${hidden}`),
  "a chunk beyond all numbers": post(chunked, `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${hidden}`),
  "a chunk extension with a line feed": post(chunked, `2;a\n\r\n{}\r\n0\r\n\r\n${hidden}`),
  "a very long chunk extension": post(chunked, `2;${"a".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  "trailers that are headers": post(chunked, `2\r\n{}\r\n0\r\ncookie: a=b\r\ncontent-length: 60\r\n\r\n`),
  "chunks without an end": post(chunked, "2\r\n{}\r\n"),
  "chunks for an upload without an end": post(chunked, "2\r\n{}\r\n", "/files/auction-pictures"),
  "lines that end in a line feed": post("", "").replaceAll("\r\n", "\n"),
  "lines that end in a return": post("", "").replaceAll("\r\n", "\r"),
  "a null in a header": post("x-a: a\0b\r\n", ""),
  "a null in the address": `GET /\0 HTTP/1.1\r\n${host}\r\n`,
  "no host": "GET /healthz HTTP/1.1\r\n\r\n",
  "two hosts": `GET /healthz HTTP/1.1\r\n${host}host: evil.example\r\n\r\n`,
  "an empty host": "GET /healthz HTTP/1.1\r\nhost:\r\n\r\n",
  "a host that is none": "GET /healthz HTTP/1.1\r\nhost: a b/../c@d\r\n\r\n",
  "a host with an address in it": `GET /about HTTP/1.1\r\nhost: evil.example/x?\r\n\r\n`,
  "an absolute address": `GET http://evil.example/healthz HTTP/1.1\r\n${host}\r\n`,
  "an absolute address of a call": post("", json).replace("/rpc", "http://evil.example/rpc"),
  "an absolute address that is none": `GET http://[ HTTP/1.1\r\n${host}\r\n`,
  "an address of another kind": `GET file:///etc/passwd HTTP/1.1\r\n${host}\r\n`,
  "no path": `GET healthz HTTP/1.1\r\n${host}\r\n`,
  "two slashes": `GET //evil.example/healthz HTTP/1.1\r\n${host}\r\n`,
  "a star": `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  "a tunnel": `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
  "an upgrade": `GET /live HTTP/1.1\r\n${host}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  "an upgrade to another version": `GET / HTTP/1.1\r\n${host}connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n`,
  "the beginning of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a version that is none": `GET /healthz HTTP/9.9\r\n${host}\r\n`,
  "the first version": "GET /healthz\r\n",
  "HTTP/1.0 without a host": "GET /healthz HTTP/1.0\r\n\r\n",
  "HTTP/1.0 with chunks": post(chunked, `2\r\n{}\r\n0\r\n\r\n${hidden}`, "/rpc/account/me", "1.0"),
  "a head that is too long": `GET /healthz HTTP/1.1\r\n${host}x-a: ${"a".repeat(20_000)}\r\n\r\n`,
  "an address that is too long": `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
  "too many headers": `GET /healthz HTTP/1.1\r\n${host}${"x-a: b\r\n".repeat(3000)}\r\n`,
  "a header without a name": post(": 2\r\n", ""),
  "a header named like the prototype": post("__proto__: 1\r\nconstructor: 2\r\n", ""),
  "a cookie that is none": post(`cookie: ${"=;".repeat(3000)}\r\n`, json),
  "a body over the limit": post("content-length: 200000\r\n", "x".repeat(200_000)),
  "a body over the limit that does not come": post("content-length: 200000\r\n", "x"),
  "a body that is announced and stays away": post("content-length: 5\r\n", ""),
  "an expectation": post("expect: 100-continue\r\ncontent-length: 11\r\n", json),
  "an expectation that nobody meets": post("expect: a-miracle\r\ncontent-length: 11\r\n", json),
  "a compressed body": post("content-encoding: gzip\r\ncontent-length: 11\r\n", json),
  "another character set": post("content-length: 11\r\n", json).replace("json\r", "json; charset=utf-7\r"),
  "a range": `GET /healthz HTTP/1.1\r\n${host}range: bytes=0-,0-,0-,-1,9-1\r\n\r\n`,
  "a request that was greeted as TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "another protocol": "SSH-2.0-x\r\n",
  "a proxy's own line": `PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n${hidden}`,
};

test.each(Object.entries(oneAtMost))("%s", async (name, bytes) => {
  // "100 Continue" comes before an answer, but isn't one.
  const most = name === "an expectation" ? 2 : 1;
  for (const cookie of cookies) await expectNoError(bytes.replace("\r\n", `\r\n${cookie}`), most);
});

test("pipelined requests are answered one by one, up to the first broken one", async () => {
  const get = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
  expect(await expectNoError(get.repeat(20), 20)).toEqual(Array.from({ length: 20 }, () => 200));
  const good = post("content-length: 11\r\n", json);
  expect((await expectNoError(`${good}${get}BROKEN\r\n\r\n${get}`, 2)).at(-1)).toBe(400);
});

test("every method and every type at every endpoint", async () => {
  const methods = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "PROPFIND",
    "get",
    "Ä",
  ];
  const types = [
    "",
    "text/plain",
    "application/json",
    "application/octet-stream",
    "multipart/form-data",
    "x".repeat(2000),
  ];
  const paths = new Set(
    w.app.routes.map(({ path }) => path.replace("/*", "/account/me").replaceAll(/:\w+/g, "x")),
  );
  expect(paths.size).toBeGreaterThan(10);
  let turn = 0;
  for (const path of paths)
    for (const method of methods)
      for (const type of types) {
        const cookie = cookies[turn++ % cookies.length] ?? "";
        const head = `${host}${cookie}x-csrf-token: orpc\r\n${type && `content-type: ${type}\r\n`}`;
        await expectNoError(`${method} ${path} HTTP/1.1\r\n${head}content-length: 11\r\n\r\n${json}`);
      }
});

test(`${runs} generated requests, seed ${seed}`, async () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.values(oneAtMost)),
    fc.constantFrom(
      "\r\n",
      "\n",
      "\r\n\r\n",
      host,
      rpc,
      chunked,
      json,
      hidden,
      "0\r\n\r\n",
      " HTTP/1.1",
      "\0",
      "%00",
      "//",
    ),
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.stringMatching(/^[A-Z]{1,7} \/[a-z/%.?&=0-9]{0,30} HTTP\/1\.[01]\r\n$/),
    fc.stringMatching(/^[a-z-]{1,20}: [ -~]{0,60}\r\n$/),
  );
  /** Generates a request with changed, lost or doubled bytes. */
  const mutated = fc
    .tuple(fc.constantFrom(...Object.values(oneAtMost)), fc.nat(400), fc.nat(8), fc.string({ maxLength: 4 }))
    .map(([text, at, length, insertion]) => text.slice(0, at) + insertion + text.slice(at + length));
  const requests = fc.oneof(
    mutated,
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
  );
  await fc.assert(
    fc.asyncProperty(requests, fc.nat(), async (text, which) => {
      const cookie = cookies[which % cookies.length] ?? "";
      await expectNoError(text.replace("\r\n", `\r\n${cookie}`), 100);
    }),
    { numRuns: runs, seed },
  );
});

test("an upload that is cut off in the middle leaves nothing behind", async () => {
  for (const bytes of Object.values(oneAtMost).slice(0, 40)) {
    await send(bytes.slice(0, bytes.length / 2), { reset: true });
    await send(bytes, { reset: true });
  }
  expect(await expectNoError(hidden)).toEqual([200]);
});

test("the server still answers, and logged no bug during these requests", async () => {
  expect(await expectNoError(hidden)).toEqual([200]);
  expect(w.log.filter(({ level }) => level >= 50)).toEqual([]);
});
