import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createStorage } from "#server/platform/storage.ts";
import { documentsOf, upload } from "#tests/support/documents.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import { newBucket, type S3Access, s3Client, s3Url } from "#tests/support/stores.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const access: S3Access = inject("s3") ?? { host: "", key: "", secret: "" };

let w: Wayfare;
let student: Person;
let bucket: string;
let key: string;
beforeAll(async () => {
  bucket = await newBucket(access);
  w = await wayfare({ variables: { STORAGE_URL: s3Url(access, bucket) } });
  student = await person(w, "student", "active");
  await upload(student);
  key = (await documentsOf(w, student.id))[0]?.storageKey ?? "";
});
afterAll(() => w.stop());

const objectUrl = () => `http://${access.host}/${bucket}/${key}`;

describe("stored files are private", () => {
  test.each([
    ["GET", ""],
    ["HEAD", ""],
    ["PUT", ""],
    ["DELETE", ""],
    ["GET", "?acl"],
  ])("%s of a file%s without a signature is refused", async (method, query) => {
    const body = method === "PUT" ? { body: "another" } : {};
    const { status } = await fetch(objectUrl() + query, { method, ...body });
    expect(status).toBe(403);
    expect((await w.services.storage.disk.get(key)).startsWith("%PDF")).toBe(true);
  });

  test.each(["", "?list-type=2", "?uploads"])("so is the list of files (%s)", async (query) => {
    expect((await fetch(`http://${access.host}/${bucket}${query}`)).status).toBe(403);
  });

  test("the store refuses links that were altered, signed by another key, or have expired", async () => {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key });
    const sign = (by: S3Access, signedAt = new Date()) =>
      getSignedUrl(s3Client(by), command, { expiresIn: 60, signingDate: signedAt });
    const right = await sign(access);
    expect((await fetch(right)).status).toBe(200);
    const old = await sign(access, new Date(Date.now() - 120_000));
    const wrong = [
      right.replace("X-Amz-Expires=60", "X-Amz-Expires=6000"),
      right.replace(/X-Amz-Signature=./, (start) =>
        start.endsWith("0") ? `${start.slice(0, -1)}1` : `${start.slice(0, -1)}0`,
      ),
      right.replace(`/${key}?`, `/${key}x?`),
      await sign({ ...access, secret: "another" }),
      old,
    ];
    expect(await Promise.all(wrong.map(async (url) => (await fetch(url)).status))).toEqual(
      wrong.map(() => 403),
    );
  });
});

describe("a store that refuses access is reported with", () => {
  test.each([
    ["another secret", () => s3Url({ ...access, secret: "another" }, bucket), "SignatureDoesNotMatch"],
    ["an unknown key", () => s3Url({ ...access, key: "nobody" }, bucket), "InvalidAccessKeyId"],
    ["a bucket that is not there", () => s3Url(access, "nothing-here"), "NoSuchBucket"],
  ])("%s", async (_, url, reason) => {
    const { problem } = await createStorage({
      storageUrl: url(),
      dataDir: await mkdtemp(join(tmpdir(), "wayfare-")),
    });
    expect(await problem()).toMatchObject({
      kind: "refused",
      sentence: expect.stringContaining(`: ${reason}. `),
    });
  });
});

describe("a large file", () => {
  test("is sent in parts of 5 MiB, and read back unchanged", async () => {
    const bytes = new Uint8Array(pdf(12 * 1024 * 1024));
    expect((await upload(student, { kind: "passport", bytes })).status).toBe(200);
    const [row] = await documentsOf(w, student.id, "passport");
    const { disk } = w.services.storage;
    // S3 appends the number of parts to the hash.
    expect((await disk.getMetaData(row?.storageKey ?? "")).etag).toMatch(/-3"$/);
    expect((await disk.getMetaData(key)).etag).not.toMatch(/-\d+"$/);
    expect(Buffer.from(await disk.getBytes(row?.storageKey ?? "")).equals(bytes)).toBe(true);
  });

  test("needs no more memory than a small one", async () => {
    const program = `
      const { createStorage } = await import("#server/platform/storage.ts");
      const [storageUrl, dataDir, pieces] = process.argv.slice(1);
      const storage = await createStorage({ storageUrl, dataDir });
      await storage.keep("documents/large", (async function* () {
        for (let at = 0; at < Number(pieces); at++) yield new Uint8Array(1024 * 1024).fill(at);
      })());
      const read = await storage.disk.getStream("documents/large");
      let length = 0;
      for await (const piece of read) length += piece.length;
      console.log(JSON.stringify({ length, peak: process.resourceUsage().maxRSS / 1024 }));
      process.exit();`;
    /** Returns the peak memory in megabytes for a file of this size. */
    const peakOf = async (megabytes: number): Promise<number> => {
      const words = [s3Url(access, bucket), await mkdtemp(join(tmpdir(), "wayfare-")), String(megabytes)];
      const { stdout } = await promisify(execFile)(process.execPath, [
        "--input-type=module",
        "-e",
        program,
        ...words,
      ]);
      const { length, peak }: { length: number; peak: number } = JSON.parse(stdout);
      expect(length).toBe(megabytes * 1024 * 1024);
      return peak;
    };
    const [small, large] = [await peakOf(20), await peakOf(400)];
    expect(large - small).toBeLessThan(100);
  });
});
