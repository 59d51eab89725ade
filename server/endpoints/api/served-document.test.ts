import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Caller } from "#tests/support/caller.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

let w: Wayfare;
beforeAll(async () => {
  w = await wayfare();
});
afterAll(() => w.stop());

const get = (path: string, headers: Record<string, string>) => new Caller(w.app).request(path, { headers });
const foreign = { origin: "https://editor.example", "sec-fetch-site": "cross-site" };

test("the document can be read by a tool of another site", async () => {
  const response = await get("/api/openapi.json", foreign);
  expect(response.status).toBe(200);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(Object(await response.json()).openapi).toBe("3.1.1");
});

const tagged = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ tags: z.array(z.string()) }))),
  tags: z.array(z.object({ name: z.string() })),
});

test("every tag of an operation is described", async () => {
  const { paths, tags } = tagged.parse(await (await get("/api/openapi.json", {})).json());
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const described = new Set(tags.map(({ name }) => name));
  expect(operations.flatMap((operation) => operation.tags).filter((tag) => !described.has(tag))).toEqual([]);
});

test("calls can't be read by another site's page", async () => {
  const response = await get("/api/v1/auctions", foreign);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
});

test("the document is compressed, and not sent again to a client that has it", async () => {
  const compressed = await get("/api/openapi.json", { "accept-encoding": "br" });
  expect(compressed.headers.get("content-encoding")).toBe("br");
  expect(compressed.headers.get("vary")).toBe("accept-encoding");
  const whole = await get("/api/openapi.json", {});
  expect(whole.headers.get("content-encoding")).toBeNull();
  const [small, large] = [await compressed.arrayBuffer(), await whole.arrayBuffer()];
  expect(small.byteLength).toBeLessThan(large.byteLength / 10);
  const etag = whole.headers.get("etag") ?? "";
  expect((await get("/api/openapi.json", { "if-none-match": etag })).status).toBe(304);
});
