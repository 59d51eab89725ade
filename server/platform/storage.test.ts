import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { S3StandIn } from "#tests/fakes/s3-stand-in.ts";
import { emptyStore } from "#tests/support/stores.ts";
import { createStorage } from "./storage.ts";

const s3 = new S3StandIn();
let host: string;
beforeAll(async () => {
  host = await s3.start();
});
beforeEach(() => {
  s3.refusing = null;
});
afterAll(() => s3.stop());

const standIn = () => `s3://key:ge%2Fheim@${host}/papers?region=af-south-1&insecure=true`;
const newFolder = () => mkdtemp(join(tmpdir(), "wayfare-storage-"));
const open = async (storageUrl: string | null) =>
  await createStorage({ storageUrl, dataDir: await newFolder() });

describe("an S3-compatible store", () => {
  test("stores and returns files in the bucket, with signed requests", async () => {
    const { disk } = await open(standIn());
    await disk.put("documents/passport/1", "scan");
    expect(s3.objects.get("/papers/documents/passport/1")?.toString()).toBe("scan");
    expect(await disk.get("documents/passport/1")).toBe("scan");
    for (const { authorization } of s3.requests)
      expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=key\/\d+\/af-south-1\/s3\//);
  });

  test("is checked by a request that writes nothing", async () => {
    const storage = await open(standIn());
    s3.requests.length = 0;
    expect(await storage.problem()).toBe(null);
    expect(s3.requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test.each([
    [403, "SignatureDoesNotMatch", "refused", "refuses the bucket papers: SignatureDoesNotMatch."],
    [404, "NoSuchBucket", "refused", "refuses the bucket papers: NoSuchBucket."],
    [503, "SlowDown", "unreachable", "can't be reached: SlowDown."],
  ])("that answers %i %s can't be used", async (status, code, kind, sentence) => {
    const storage = await open(standIn());
    s3.refusing = { status, code };
    expect(await storage.problem()).toMatchObject({ kind, sentence: expect.stringContaining(sentence) });
    expect((await storage.problem())?.sentence).not.toContain("heim");
  });

  test("that refuses connections can't be reached", async () => {
    const gone = new S3StandIn();
    const storage = await open(`s3://key:secret@${await gone.start()}/papers?insecure=true`);
    await gone.stop();
    expect(await storage.problem()).toMatchObject({ kind: "unreachable" });
  });
});

describe("a folder", () => {
  test("is in DATA_DIR or at STORAGE_URL, and a check leaves nothing in it", async () => {
    const dataDir = await newFolder();
    const own = await createStorage({ storageUrl: null, dataDir });
    expect(await own.problem()).toBe(null);
    expect(await readdir(dataDir)).toEqual(["files"]);
    expect(await readdir(join(dataDir, "files"))).toEqual(["incoming"]);
    const other = await createStorage({ storageUrl: pathToFileURL(join(dataDir, "chosen")).href, dataDir });
    await other.disk.put("a", "b");
    expect((await readdir(join(dataDir, "chosen"))).toSorted()).toEqual(["a", "incoming"]);
  });

  test("that is gone can't be used", async () => {
    const dataDir = await newFolder();
    const storage = await createStorage({ storageUrl: pathToFileURL(join(dataDir, "x")).href, dataDir });
    await rm(dataDir, { recursive: true });
    // Puts a file in its place, so that nothing can be written below it.
    await writeFile(dataDir, "");
    expect(await storage.problem()).toMatchObject({
      kind: "refused",
      sentence: expect.stringContaining(`${join(dataDir, "x")} can't be used: ENOTDIR.`),
    });
  });
});

async function* pieces(number: number, failure?: Error) {
  for (let at = 0; at < number; at++) yield new Uint8Array(1000).fill(at);
  if (failure) throw failure;
}

const stores = inject("s3") ? (["S3 server"] as const) : (["folder", "S3"] as const);

describe.each(stores)("a file that streams into a store (%s)", (kind) => {
  async function openStore() {
    const dataDir = await newFolder();
    const { STORAGE_URL } = await emptyStore();
    const storageUrl = kind === "S3" ? standIn() : (STORAGE_URL ?? null);
    const storage = await createStorage({ storageUrl, dataDir });
    const incoming = join(dataDir, kind === "folder" ? "files/incoming" : "incoming");
    return { storage, incoming };
  }

  test("is in the store once it is complete, and nowhere else", async () => {
    const { storage, incoming } = await openStore();
    await storage.keep("documents/cv/ada/1", pieces(300));
    const bytes = await storage.disk.getBytes("documents/cv/ada/1");
    expect(bytes.byteLength).toBe(300_000);
    expect(bytes[299_999]).toBe(299 % 256);
    expect(await readdir(incoming)).toEqual([]);
  });

  test.each([0, 1, 300])("that breaks off after %i pieces leaves nothing", async (number) => {
    const { storage, incoming } = await openStore();
    const failure = new Error("the line went dead");
    await expect(storage.keep("documents/cv/ada/2", pieces(number, failure))).rejects.toBe(failure);
    expect(await readdir(incoming)).toEqual([]);
    expect(await storage.disk.exists("documents/cv/ada/2")).toBe(false);
  });

  test("is removed once it is old if a killed process left it", async () => {
    const { storage, incoming } = await openStore();
    await writeFile(join(incoming, "left"), "half");
    await storage.removeUnfinished(new Date(Date.now() - 60_000));
    expect(await readdir(incoming)).toEqual(["left"]);
    await storage.removeUnfinished(new Date(Date.now() + 60_000));
    expect(await readdir(incoming)).toEqual([]);
  });
});

test.each(["folder", "S3"] as const)(
  "a file that the store does not take leaves nothing (%s)",
  async (kind) => {
    const dataDir = await newFolder();
    const storage = await createStorage({ storageUrl: kind === "S3" ? standIn() : null, dataDir });
    // In the folder, a file is where a folder is needed.
    await storage.disk.put("documents/cv/taken", "x");
    s3.refusing = { status: 403, code: "AccessDenied" };
    await expect(storage.keep("documents/cv/taken/3", pieces(3))).rejects.toMatchObject({
      code: "E_CANNOT_WRITE_FILE",
    });
    expect(await readdir(join(dataDir, kind === "S3" ? "incoming" : "files/incoming"))).toEqual([]);
  },
);
