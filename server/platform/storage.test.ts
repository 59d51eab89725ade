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
    expect((await readdir(join(dataDir, "files"))).toSorted()).toEqual(["incoming", "ready"]);
    const chosen = await createStorage({ storageUrl: pathToFileURL(join(dataDir, "chosen")).href, dataDir });
    await chosen.disk.put("a", "b");
    expect((await readdir(join(dataDir, "chosen"))).toSorted()).toEqual(["a", "incoming"]);
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

async function* pieces(number: number, failure?: Error) {
  for (let at = 0; at < number; at++) yield new Uint8Array(1000).fill(at);
  if (failure) throw failure;
}

describe.each(["folder", "S3"] as const)("a file that streams into a store (%s)", (kind) => {
  async function open() {
    const dataDir = await mkdtemp(join(tmpdir(), "wayfare-storage-"));
    const storage = await createStorage({ storageUrl: kind === "S3" ? url : null, dataDir });
    const incoming = join(dataDir, kind === "S3" ? "incoming" : "files/incoming");
    return { storage, incoming };
  }

  test("is in it once it is whole, and nowhere else", async () => {
    const { storage, incoming } = await open();
    await storage.keep("documents/cv/ada/1", pieces(300));
    const bytes = await storage.disk.getBytes("documents/cv/ada/1");
    expect(bytes.byteLength).toBe(300_000);
    expect(bytes[299_999]).toBe(299 % 256);
    expect(await readdir(incoming)).toEqual([]);
  });

  test.each([0, 1, 300])("that breaks off after %i pieces leaves nothing", async (number) => {
    const { storage, incoming } = await open();
    const failure = new Error("the line went dead");
    await expect(storage.keep("documents/cv/ada/2", pieces(number, failure))).rejects.toBe(failure);
    expect(await readdir(incoming)).toEqual([]);
    expect(await storage.disk.exists("documents/cv/ada/2")).toBe(false);
  });

  test("that the store does not take leaves nothing", async () => {
    const { storage, incoming } = await open();
    // In the folder, a file stands where a folder is needed.
    await storage.disk.put("documents/cv/taken", "x");
    refusing = true;
    await expect(storage.keep("documents/cv/taken/3", pieces(3))).rejects.toThrow();
    refusing = false;
    expect(await readdir(incoming)).toEqual([]);
  });

  test("and was left by a killed process goes when it is old", async () => {
    const { storage, incoming } = await open();
    await writeFile(join(incoming, "left"), "half");
    await storage.removeDrafts(new Date(Date.now() - 60_000));
    expect(await readdir(incoming)).toEqual(["left"]);
    await storage.removeDrafts(new Date(Date.now() + 60_000));
    expect(await readdir(incoming)).toEqual([]);
  });
});
