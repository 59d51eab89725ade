import { createHash } from "node:crypto";
import { open, rm, stat } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { constants, createZstdCompress } from "node:zlib";
import { Encrypter } from "age-encryption";
import { pack } from "tar-stream";
import type { z } from "zod";
import { moveDurably } from "#server/platform/drafts.ts";
import { systemFailure } from "#server/platform/operator-error.ts";
import { digestHead, type endForm, names } from "./archive-format.ts";

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export class ArchiveWriter {
  readonly pack = pack();
  readonly #digest = createHash("sha256");
  #entries = 0;

  /** Adds an entry of exactly `size` bytes. Throws if the content has another length. */
  async add(name: string, size: number, content: Pieces): Promise<void> {
    this.#entries += 1;
    this.#digest.update(digestHead(name, size));
    await pipeline(Readable.from(this.#digested(content)), this.#entry(name, size));
  }

  async addJson(name: string, value: unknown): Promise<void> {
    const content = Buffer.from(JSON.stringify(value));
    await this.add(name, content.length, [content]);
  }

  async end(): Promise<void> {
    const end: z.infer<typeof endForm> = { entries: this.#entries, sha256: this.#digest.digest("hex") };
    const content = Buffer.from(JSON.stringify(end));
    await pipeline(Readable.from([content]), this.#entry(names.end, content.length));
    this.pack.finalize();
  }

  #entry(name: string, size: number) {
    return this.pack.entry({ name, size, mode: 0o600 });
  }

  async *#digested(content: Pieces): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      this.#digest.update(piece);
      yield piece;
    }
  }
}

async function* encrypted(passphrase: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  yield* await encrypter.encrypt(ReadableStream.from(source));
}

async function* passThrough(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source;
}

async function refuseExisting(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (stats) throw new Error(`${file} is there already: name another file. Nothing was changed.`);
}

/** Writes an archive to a stream, which the caller closes. */
export async function streamArchive(
  sink: Writable,
  passphrase: string | null,
  work: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const archive = new ArchiveWriter();
  const completion = pipeline(
    archive.pack,
    // Compression keeps up with the disk even for PDFs and pictures, which can't be made smaller.
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    (source: AsyncIterable<Uint8Array>) =>
      passphrase === null ? passThrough(source) : encrypted(passphrase, source),
    sink,
    { end: false },
  );
  const worked = work(archive).then(
    () => archive.end(),
    (error: unknown) => {
      archive.pack.destroy();
      throw error;
    },
  );
  await Promise.all([worked, completion]);
}

/**
 * Writes a file that only its owner can read. Until it is complete and on disk it has another name in the same folder,
 * and if the work fails, nothing is left of it. Throws if the file exists already.
 */
export async function writeArchive(
  file: string,
  passphrase: string | null,
  work: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  await refuseExisting(file);
  const draft = `${file}.partial`;
  try {
    // A killed backup left it, or an attacker put it there to read what is written.
    await rm(draft, { force: true });
    await writeDraft(draft, passphrase, work);
    await refuseExisting(file);
    await moveDurably(draft, file);
  } catch (error) {
    const sentence = systemFailure(error, file);
    throw sentence === null ? error : new Error(sentence, { cause: error });
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function writeDraft(
  draft: string,
  passphrase: string | null,
  work: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const handle = await open(draft, "wx", 0o600);
  try {
    const sink = handle.createWriteStream();
    await streamArchive(sink, passphrase, work);
    sink.end();
    await finished(sink);
  } finally {
    await handle.close().catch(() => {});
  }
}
