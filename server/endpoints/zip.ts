import { Readable } from "node:stream";
import { makeZip, predictLength } from "client-zip";
import { contentDisposition } from "#server/platform/file-headers.ts";

/** A file of a zip: short and in memory, or `size` bytes that are opened when it is their turn. */
export type ZipEntry = { name: string; lastModified: Date } & (
  | { text: string }
  | { size: number; open(): Promise<Readable> }
);

/**
 * A zip as it is sent, named for people without its ending, with its length known beforehand. However it ends, the
 * file that is being read is closed; after `longest` milliseconds it is cut off, so that nobody holds it open by reading
 * slowly.
 */
export function zipOf(name: string, entries: readonly ZipEntry[], longest: number) {
  const length = predictLength(
    entries.map((each) =>
      "text" in each ? { name: each.name, input: each.text } : { name: each.name, size: each.size },
    ),
  );
  const headers = {
    "content-type": "application/zip",
    "content-length": String(length),
    "content-disposition": contentDisposition(`${name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "_")}.zip`, false),
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  };
  return { headers, body: stream(entries, longest) };
}

function stream(entries: readonly ZipEntry[], longest: number): Readable {
  let current: Readable | undefined;
  async function* bytesOf(open: () => Promise<Readable>): AsyncGenerator<Uint8Array> {
    current = await open();
    yield* current;
  }
  const files = entries.map((each) => ({
    name: each.name,
    lastModified: each.lastModified,
    input: "text" in each ? each.text : bytesOf(each.open),
  }));
  const body = Readable.from(makeZip(files), { objectMode: false });
  const timer = setTimeout(() => body.destroy(new Error("a zip took too long to send")), longest);
  timer.unref();
  body.once("close", () => {
    clearTimeout(timer);
    current?.destroy();
  });
  return body;
}
