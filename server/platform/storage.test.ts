import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStorage } from "./storage.ts";

/** A store that speaks as much of S3 as is used, and remembers how it was asked. */
const objects = new Map<string, Buffer>();
const signatures: string[] = [];
let refusing = false;
const server: Server = createServer((request, response) => {
  signatures.push(request.headers.authorization ?? "");
  const key = (request.url ?? "").split("?", 1)[0] ?? "";
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (refusing) return response.writeHead(403).end();
    if (request.method === "PUT") objects.set(key, Buffer.concat(chunks));
    const found = objects.get(key);
    return found
      ? response.writeHead(200).end(request.method === "GET" ? found : "")
      : response.writeHead(404).end();
  });
});

let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `s3://key:se%2Fcret@127.0.0.1:${address.port}/papers?region=af-south-1&insecure=true`;
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

describe("an S3-compatible store", () => {
  test("keeps what is put, in the bucket, with signed requests", async () => {
    const { disk, answers } = await createStorage({ storageUrl: url, dataDir: "unused" });
    await disk.put("documents/passport/1", "scan");
    expect(objects.get("/papers/documents/passport/1")?.toString()).toBe("scan");
    expect(await disk.get("documents/passport/1")).toBe("scan");
    expect(await answers()).toBe(true);
    expect(
      signatures.every((text) => /^AWS4-HMAC-SHA256 Credential=key\/\d+\/af-south-1\/s3\//.test(text)),
    ).toBe(true);
  });

  test("that refuses does not answer", async () => {
    const { answers } = await createStorage({ storageUrl: url, dataDir: "unused" });
    refusing = true;
    expect(await answers()).toBe(false);
    refusing = false;
  });
});

describe("a folder", () => {
  test("of the data, or of STORAGE_URL", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "wayfare-storage-"));
    const own = await createStorage({ storageUrl: null, dataDir });
    expect(await own.answers()).toBe(true);
    expect(await readdir(dataDir)).toEqual(["files"]);
    const chosen = await createStorage({ storageUrl: pathToFileURL(join(dataDir, "chosen")).href, dataDir });
    await chosen.disk.put("a", "b");
    expect(await readdir(join(dataDir, "chosen"))).toEqual(["a"]);
  });

  test("that is gone does not answer", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "wayfare-storage-"));
    const { answers } = await createStorage({ storageUrl: pathToFileURL(join(dataDir, "x")).href, dataDir });
    await rm(dataDir, { recursive: true });
    // In its place a file: nothing can be written below it.
    await writeFile(dataDir, "");
    expect(await answers()).toBe(false);
  });
});
