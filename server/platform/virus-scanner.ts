import { once } from "node:events";
import { createReadStream } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Counter } from "prom-client";
import { unscanned } from "#domain/file-rules.ts";
import { Refusal } from "#server/refusal.ts";
import { Limiter } from "./limiter.ts";
import type { Log } from "./log.ts";

/** The address on which clamd listens. */
export type ScannerAddress = { host: string; port: number } | { path: string };

/** Results of a scan; `virus`: its name in the scanner's database. `off`: no scanner is set up. `failed`: unknown. */
export type Scan =
  | { kind: "clean" }
  | { kind: "off" }
  | { kind: "infected"; virus: string }
  | { kind: "failed" };

/** Milliseconds after which a scan is given up. */
const longestScan = 30_000;
/** Seconds after which to try again when too many files wait. */
const pause = 60;

/** Most characters of an answer that are read. */
const longestAnswer = 1000;

type Parts = {
  /** Null: files are not scanned. */
  address: ScannerAddress | null;
  log: Log;
  /** Counts scans by `outcome`. */
  scans: Counter;
};

/** Scans files with ClamAV's clamd, a few concurrently; the addresses that they come from take turns. */
export class VirusScanner {
  readonly #parts: Parts;
  readonly #longest: number;
  readonly #turns = new Limiter({
    running: 4,
    waiting: 100,
    ofKey: { running: 2, waiting: 20 },
    refusal: () => new Refusal("unavailable", { message: unscanned, retryAfter: pause }),
  });

  constructor(parts: Parts, longest = longestScan) {
    this.#parts = parts;
    this.#longest = longest;
  }

  /** Scans the file at a path; `off` without a scanner. Rejects with a refusal when too many wait. */
  async scan(address: string, path: string): Promise<Scan> {
    const { address: scanner, log, scans } = this.#parts;
    if (scanner === null) return { kind: "off" };
    const scan = await this.#turns.run(address, () =>
      scanFile(scanner, path, this.#longest).catch((error: unknown): Scan => {
        log.error({ err: error }, "a file could not be scanned for viruses");
        return { kind: "failed" };
      }),
    );
    scans.inc({ outcome: scan.kind });
    return scan;
  }
}

async function scanFile(address: ScannerAddress, path: string, longest: number): Promise<Scan> {
  const socket = connect(address);
  const timeout = setTimeout(() => socket.destroy(new Error("the scanner took too long")), longest);
  try {
    const [answer] = await Promise.all([answerOf(socket), send(socket, path)]);
    if (answer === "stream: OK") return { kind: "clean" };
    const [, virus] = /^stream: (.+) FOUND$/.exec(answer) ?? [];
    if (virus === undefined) throw new Error(`the scanner answered ${JSON.stringify(answer)}`);
    return { kind: "infected", virus };
  } finally {
    clearTimeout(timeout);
    socket.destroy();
  }
}

/** Sends a file as clamd's INSTREAM: pieces with their lengths before them, and one of length 0 at the end. */
async function send(socket: Socket, path: string): Promise<void> {
  const write = async (bytes: Uint8Array | string) => {
    if (!socket.write(bytes)) await once(socket, "drain");
  };
  const length = (bytes: number) => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(bytes);
    return buffer;
  };
  await write("zINSTREAM\0");
  for await (const piece of createReadStream(path)) {
    await write(length(piece.length));
    await write(piece);
  }
  await write(length(0));
}

/** Reads the answer up to the null that ends it. */
async function answerOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    const end = text.indexOf("\0");
    if (end >= 0) return text.slice(0, end);
    if (text.length > longestAnswer) break;
  }
  throw new Error("the scanner broke off");
}
