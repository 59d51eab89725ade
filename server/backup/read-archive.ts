import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { createZstdDecompress } from "node:zlib";
import { Decrypter } from "age-encryption";
import { extract } from "tar-stream";
import type { z } from "zod";
import { ageMark, digestHead, endForm, names, zstdMark } from "./archive-format.ts";

/** The reason why a file can't be restored, in a sentence for the operator. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** `body` can be read once, before the next entry is requested. */
export type Entry = { name: string; body: AsyncIterable<Uint8Array> };

const damaged = (file: string, cause: unknown) =>
  cause instanceof BackupError
    ? cause
    : new BackupError(
        `${file} is damaged or was cut short (${cause instanceof Error ? cause.message : String(cause)}).`,
        { cause },
      );

async function isEncrypted(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ageMark.length), 0, ageMark.length, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start.equals(ageMark)) return true;
    if (start.subarray(0, zstdMark.length).equals(zstdMark)) return false;
    throw new BackupError(`${file} is not a backup of Wayfare.`);
  } finally {
    await handle.close();
  }
}

async function* decrypted(
  file: string,
  passphrase: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  yield* await decrypter.decrypt(ReadableStream.from(source)).catch((error: unknown) => {
    if (!(error instanceof Error) || !error.message.startsWith("no identity matched")) throw error;
    throw new BackupError(`BACKUP_PASSPHRASE is not the passphrase of ${file}.`);
  });
}

async function* contentOf(
  file: string,
  entry: AsyncIterable<unknown>,
  digest?: Hash,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of entry) {
      if (!(piece instanceof Uint8Array)) throw new TypeError("an entry gave no bytes");
      digest?.update(piece);
      yield piece;
    }
  } catch (error) {
    throw damaged(file, error);
  }
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString("utf8");
}

/**
 * Reads the entries of a backup one after the other. The last one is checked and not returned. Throws BackupError if
 * the file is damaged, cut short, or not a backup.
 */
export async function* readArchive(file: string, passphrase: string | null): AsyncGenerator<Entry> {
  const encrypted = await isEncrypted(file);
  if (encrypted && passphrase === null)
    throw new BackupError(`${file} is encrypted: set BACKUP_PASSPHRASE to its passphrase.`);
  const archive = extract();
  const read = pipeline(
    createReadStream(file),
    (source: AsyncIterable<Uint8Array>) =>
      encrypted && passphrase !== null ? decrypted(file, passphrase, source) : source,
    createZstdDecompress(),
    archive,
  );
  // A failure here surfaces where the entries are read.
  read.catch(() => {});
  const digest = createHash("sha256");
  let entries = 0;
  let end: z.infer<typeof endForm> | null = null;
  try {
    for await (const entry of archive) {
      const { name, size } = entry.header;
      if (end !== null) throw new BackupError(`${file} is damaged: it goes on after its end.`);
      if (name === names.end) {
        end = endForm.parse(JSON.parse(await textOf(contentOf(file, entry))));
        continue;
      }
      entries += 1;
      digest.update(digestHead(name, size));
      const body = contentOf(file, entry, digest);
      yield { name, body };
      // Skips the bytes that the reader left.
      for await (const _ of body);
    }
    await read;
  } catch (error) {
    throw damaged(file, error);
  }
  if (end === null) throw new BackupError(`${file} was cut short: its end is missing.`);
  if (end.entries !== entries || end.sha256 !== digest.digest("hex"))
    throw new BackupError(`${file} is damaged: its checksum is another.`);
}
