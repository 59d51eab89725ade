import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentKinds } from "#domain/document.ts";
import { hostileUploads } from "#tests/hostile/hostile-uploads.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { goodPassword, signUpForm } from "#tests/support/factories.ts";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import { call } from "./subject.ts";

/** Maximum growth of the server's memory in bytes, and number of rounds of all files. */
const maxGrowth = 150 * 1024 * 1024;
const rounds = 3;

let folder: Awaited<ReturnType<typeof dataFolder>>;
let server: Server;
beforeAll(async () => {
  folder = await dataFolder();
  server = await startServer({ DATA_DIR: folder.path, LOG_LEVEL: "warn" });
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

/** Reads the process's current and peak memory. */
async function memory(): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return { now: kilobytes("VmRSS") * 1024, peak: kilobytes("VmHWM") * 1024 };
}

async function newCookie(): Promise<string> {
  const form = signUpForm();
  await call(server.url, "account.signUp", form);
  const response = await call(server.url, "account.signIn", { email: form.email, password: goodPassword });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

async function send(path: string, cookie: string, name: string, bytes: Buffer): Promise<number> {
  const headers = { ...uploadHeaders(name.isWellFormed() ? name : "x"), cookie };
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers,
    body: new Uint8Array(bytes),
  });
  await response.text();
  return response.status;
}

/** Sends all files to both endpoints, from accounts in turn, so that none reaches its limit. */
async function sendAll(): Promise<number> {
  let count = 0;
  let cookie = "";
  for (const [at, { make, name = "file.pdf" }] of hostileUploads.entries()) {
    if (at % 20 === 0) cookie = await newCookie();
    const bytes = await make();
    const kind = documentKinds[at % documentKinds.length] ?? "cv";
    for (const path of [`/files/documents/${kind}`, "/files/auction-pictures"]) {
      const status = await send(path, cookie, name, bytes);
      expect(status).toBeLessThan(500);
      expect(status).not.toBe(429);
      if (status === 200) count++;
    }
  }
  return count;
}

test(`${rounds} rounds of ${hostileUploads.length} hostile files grow the server by less than 150 MB`, async () => {
  // Sends a valid file first, so that the server's code is loaded.
  const honest = hostileUploads.find(({ title }) => title.includes("a JPEG in a PDF's place"));
  const bytes = (await honest?.make()) ?? Buffer.alloc(0);
  const cookie = await newCookie();
  expect(await send("/files/documents/cv", cookie, "cv.jpg", bytes)).toBe(200);
  expect(await send("/files/auction-pictures", cookie, "cv.jpg", bytes)).toBe(200);
  const before = await memory();
  for (let round = 0; round < rounds; round++) expect(await sendAll()).toBeGreaterThan(10);
  const after = await memory();
  const megabytes = (value: number) => `${(value / 1024 / 1024).toFixed(0)} MB`;
  console.log(
    `resident memory: ${megabytes(before.now)} before, ${megabytes(after.now)} after, ${megabytes(after.peak)} at most`,
  );
  expect(after.peak - before.now).toBeLessThan(maxGrowth);
});
