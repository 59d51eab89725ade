import type { FileHandle } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes that are written at once. */
const pageSize = 512 * 1024;
/** Pages that are kept for the next file: 8 MB, those of eight files at once. */
const mostKept = 16;
/** Bytes received after which the buffers that they came in are collected. */
const collectEvery = 8 * 1024 * 1024;

const kept: Buffer[] = [];
const newPage = (): Buffer => kept.pop() ?? Buffer.allocUnsafeSlow(pageSize);

setFlagsFromString("--expose-gc");
const collect: (options: { type: "minor" }) => void = runInNewContext("gc");
let uncollected = 0;

/**
 * Node makes a new buffer for every 64 KB that it receives, and V8, which sees only small objects, lets 60 to 100 MB
 * of them pile up before it looks. Several files at once would take that much memory: a quick collection of young
 * objects, under a millisecond, keeps it at a fraction.
 */
function collectAfter(bytes: number) {
  uncollected += bytes;
  if (uncollected < collectEvery) return;
  uncollected = 0;
  collect({ type: "minor" });
}

/** The source's bytes in pages, of which one is filled while the other is still in use. */
async function* pagesOf(source: AsyncIterable<Uint8Array>, pages: [Buffer, Buffer]): AsyncGenerator<Buffer> {
  let [page, other] = pages;
  let filled = 0;
  for await (const piece of source) {
    // Copied, so that no received buffer lives long enough to be collected late.
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + pageSize - filled);
      page.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < pageSize) continue;
      yield page;
      [page, other] = [other, page];
      filled = 0;
    }
    collectAfter(piece.length);
  }
  yield page.subarray(0, filled);
}

/** Writes a stream to an open file: receives while it writes, in the memory of two pages. */
export async function writeStreaming(
  file: Pick<FileHandle, "writeFile">,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const pages: [Buffer, Buffer] = [newPage(), newPage()];
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const page of pagesOf(source, pages)) {
      await writing;
      writing = file.writeFile(page);
      // Noticed at the next page; until then nobody may be waiting for it.
      writing.catch(() => {});
    }
    await writing;
  } finally {
    // A source that broke off leaves the last write running: its page is not free before that.
    await writing.catch(() => {});
    if (kept.length < mostKept) kept.push(...pages);
  }
}
