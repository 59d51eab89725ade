import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createLimitedServer } from "#server/platform/connections.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
let server: Server;
beforeAll(async () => {
  w = await wayfare({ variables: { BASE_URL: "https://wayfare.example" } });
  server = createLimitedServer(w.app.fetch, w.environment);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  server.close();
  await w.stop();
});

const post = { method: "POST", headers: { "content-type": "application/json", "x-csrf-token": "orpc" } };
const foreign = { method: "POST", headers: { origin: "https://evil.example" } };

const answers: [path: string, request: RequestInit, status: number][] = [
  ["/rpc/account/me", { ...post, body: "{}" }, 200],
  ["/rpc/account/signIn", { ...post, body: "{}" }, 400],
  ["/rpc/no/such", { ...post, body: "{}" }, 404],
  ["/rpc/account/me", foreign, 403],
  ["/auctions/products/00000000-0000-4000-8000-000000000000", {}, 404],
  ["/files/documents/passport", foreign, 403],
  ["/files/auction-pictures", foreign, 403],
  ["/files/documents/00000000-0000-4000-8000-000000000000", {}, 401],
  ["/pictures/1/320.webp", {}, 404],
  ["/live", {}, 401],
  ["/healthz", {}, 200],
  ["/nowhere", {}, 404],
];
test("/.well-known/security.txt names a contact and an expiry date", async () => {
  const answer = await w.app.request("/.well-known/security.txt");
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  const lines = (await answer.text()).split("\n");
  expect(lines).toContain("Contact: mailto:support@wayfare.example");
  expect(lines).toContain("Canonical: https://wayfare.example/.well-known/security.txt");
  const expires = lines.find((line) => line.startsWith("Expires: "))?.slice("Expires: ".length) ?? "";
  expect(new Date(expires).getTime()).toBeGreaterThan(Date.now());
});

test.each(answers)("%s has the security headers", async (path, request, status) => {
  const answer = await w.app.request(path, request);
  expect(answer.status).toBe(status);
  const { headers } = answer;
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'; frame-ancestors 'none'");
});

test("probes within a few seconds query the store once, and write nothing", async () => {
  const { storage } = w.services;
  const problem = vi.spyOn(storage, "problem");
  const writes = [vi.spyOn(storage.disk, "put"), vi.spyOn(storage.disk, "delete"), vi.spyOn(storage, "take")];
  const answers = await Promise.all(Array.from({ length: 20 }, async () => await w.app.request("/readyz")));
  for (const answer of answers) expect(await answer.json()).toEqual({ database: true, storage: true });
  expect(problem).toHaveBeenCalledTimes(1);
  for (const write of writes) expect(write).not.toHaveBeenCalled();
});

test("a request with two hosts is refused", async () => {
  const { port } = server.address() as AddressInfo;
  const send = async (hosts: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.end(`GET /healthz HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`);
    return await text(socket);
  };
  const refused = await send("host: wayfare.example\r\nhost: evil.example\r\n");
  expect(refused).toMatch(/^HTTP\/1.1 400 /);
  for (const name of ["content-security-policy", "strict-transport-security", "x-content-type-options"])
    expect(refused).toContain(`\r\n${name}: `);
  expect(await send("host: 10.0.0.7\r\n")).toMatch(/^HTTP\/1.1 200 /);
});

test("ignores X-Request-Id behind a proxy, unless configured that the proxy sets it", async () => {
  const own = "0af76519-16cd-43dd-8448-eb211c80319c";
  const idWith = async (variables: Record<string, string>) => {
    const behind = await wayfare({ variables, on: w.address });
    const answer = await behind.app.request("/healthz", { headers: { "x-request-id": own } });
    await behind.stop();
    return answer.headers.get("x-request-id");
  };
  expect(await idWith({ TRUST_PROXY: "1" })).not.toBe(own);
  expect(await idWith({ TRUST_PROXY: "1", TRUST_REQUEST_IDS: "on" })).toBe(own);
});
