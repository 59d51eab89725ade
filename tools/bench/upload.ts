import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { documentLimits } from "#domain/document.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { signUpForm } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import type { Server } from "#tests/support/server-process.ts";
import { type Figure, pair } from "./measure.ts";
import { openServerFixture } from "./server-fixture.ts";

const concurrency = 8;
const rounds = 7;
const megabyte = 1024 * 1024;
const agent = new Agent({ keepAlive: true });
const file = pdf(documentLimits.bytes);

async function newStudent({ url }: Server): Promise<string> {
  const response = await fetch(`${url}/rpc/account/signUp`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
    body: JSON.stringify({ json: signUpForm() }),
  });
  const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return cookies.join("; ");
}

/** Uploads with node:http rather than `fetch`, whose own work would be measured too. */
async function upload({ url }: Server, cookie: string): Promise<void> {
  const headers = { cookie, "content-length": file.length, ...uploadHeaders("transcript.pdf") };
  const outgoing = request(`${url}/files/documents/transcript`, { method: "POST", headers, agent });
  outgoing.end(file);
  const [response]: unknown[] = await once(outgoing, "response");
  if (!(response instanceof IncomingMessage) || response.statusCode !== 200)
    throw new Error("an upload was refused");
  await text(response);
}

function* pieces() {
  for (let at = 0; at < file.length; at += 64 * 1024) yield file.subarray(at, at + 64 * 1024);
}

/** Writes one stream of the same bytes to the same disk, until they are safe on it: the upper limit. */
const plainWrite = (path: string) =>
  pipeline(Readable.from(pieces()), createWriteStream(path, { flush: true }));

/** Returns the bytes of memory that a process holds, or held at most since the peak was last reset. */
async function memory(pid: number, which: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}
const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, "5");

/**
 * Measures eight concurrent uploads of 20 MB to a real server: MB/s as a share of plain streamed writes in the same
 * run, one after the other, and how far its memory rises above that before the first upload.
 */
export async function uploads(): Promise<Figure[]> {
  const { server, pool, stop } = await openServerFixture();
  const students = await Promise.all(Array.from({ length: concurrency }, () => newStudent(server)));
  // Accounts without a verified address may upload less in a day than is written here.
  await pool.query(`update "user" set email_verified = true`);
  const plain = await mkdtemp(join(tmpdir(), "wayfare-plain-"));
  const uploadAll = () => Promise.all(students.map((cookie) => upload(server, cookie)));
  const writeAll = async () => {
    for (let at = 0; at < concurrency; at++) await plainWrite(join(plain, String(at)));
  };

  await resetPeak(server.pid);
  const before = await memory(server.pid, "VmRSS");
  const [uploading, writing] = await pair(rounds, uploadAll, writeAll);
  const rise = ((await memory(server.pid, "VmHWM")) - before) / megabyte;
  agent.destroy();
  await stop();
  await rm(plain, { recursive: true, force: true });

  const rate = (milliseconds: number) => (concurrency * file.length) / megabyte / (milliseconds / 1000);
  const detail = `${rate(uploading).toFixed(0)} MB/s, plain ${rate(writing).toFixed(0)} MB/s`;
  const share = writing / uploading;
  return [
    { name: "upload ÷ plain write", value: share, limit: "at least 0.3", holds: share >= 0.3, detail },
    {
      name: "memory for 8 uploads, MiB",
      value: rise,
      limit: "under 128",
      holds: rise < 128,
      detail: "peak above idle, 20 MB each",
    },
  ];
}
