import { type FileHandle, open } from "node:fs/promises";
import { type FileProblem, type FileType, startLength, typeByStart } from "#domain/file-rules.ts";

export type Size = { width: number; height: number };
/** The type of a file by its content, and the pixels that a picture declares. */
type Inspection<Type extends FileType> = { type: Type; size: Size | null };

/** Thrown for a file that is refused, with the reason. */
export class RefusedFile extends Error {
  readonly problem: FileProblem;
  constructor(problem: FileProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Bytes per read. Most parts of a file are smaller. */
const windowLength = 64 * 1024;
/** Most chunks, segments and fill bytes that are skipped. Ordinary files have a few thousand. */
const mostParts = 100_000;
/** Bytes that readers accept after the end marker of a PDF. */
const pdfTrailer = 1024;
const pdfEnd = "%%EOF";
/** Most end markers among the last bytes of a PDF. Ordinary files have one or two. */
const mostPdfEnds = 100;
/** Bytes within which a JPEG must declare its size. Previews and colour profiles precede it. */
const jpegSizeWithin = 1024 * 1024;
const jpegEnd = Buffer.from([0xff, 0xd9]);

/** Throws `RefusedFile` for a file of another type, and for one whose end is missing. Bytes may follow a picture. */
export async function inspectFile<Type extends FileType>(
  path: string,
  types: readonly Type[],
): Promise<Inspection<Type>> {
  const file = await open(path, "r");
  try {
    const bytes = new Bytes(file, (await file.stat()).size);
    const typeOfStart = typeByStart(await bytes.upTo(startLength, 0));
    const type = types.find((each) => each === typeOfStart);
    if (type === undefined) throw new RefusedFile("unknownType");
    return { type, size: await inspectors[type](bytes) };
  } finally {
    await file.close();
  }
}

const inspectors: Record<FileType, (bytes: Bytes) => Promise<Size | null>> = {
  "application/pdf": inspectPdf,
  "image/jpeg": inspectJpeg,
  "image/png": inspectPng,
  "image/webp": inspectWebp,
};

async function inspectPdf(bytes: Bytes): Promise<null> {
  const tail = pdfTrailer + pdfEnd.length;
  const text = (await bytes.upTo(tail, Math.max(0, bytes.length - tail))).toString("latin1");
  const ends = text.split(pdfEnd).length - 1;
  if (ends === 0) throw new RefusedFile("cutOff");
  if (ends > mostPdfEnds) throw new RefusedFile("unknownType");
  return null;
}

/** Skips the chunks of length, name, data and checksum, from IHDR, which has the size, to IEND. */
async function inspectPng(bytes: Bytes): Promise<Size> {
  const header = await bytes.exactly(16, 8);
  if (header.readUInt32BE(0) !== 13 || header.toString("latin1", 4, 8) !== "IHDR")
    throw new RefusedFile("noSize");
  const size = { width: header.readUInt32BE(8), height: header.readUInt32BE(12) };
  let offset = 33;
  for (let part = 0; part < mostParts; part++) {
    const chunk = await bytes.exactly(8, offset);
    offset += chunk.readUInt32BE(0) + 12;
    if (chunk.toString("latin1", 4, 8) !== "IEND") continue;
    if (offset > bytes.length) throw new RefusedFile("cutOff");
    return size;
  }
  throw new RefusedFile("unknownType");
}

/**
 * Skips the segments before the scan, because a preview in one of them has an end marker too. After them, the first end
 * marker is the picture's: picture data contains none.
 */
async function inspectJpeg(bytes: Bytes): Promise<Size> {
  let size: Size | null = null;
  let offset = 2;
  for (let part = 0; part < mostParts; part++) {
    const [mark = 0, marker = 0] = await bytes.exactly(2, offset);
    if (mark !== 0xff || marker === 0) throw new RefusedFile("unknownType");
    if (marker === 0xd9) throw new RefusedFile("noSize");
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) offset += 1;
    else if (hasNoLength(marker)) offset += 2;
    else {
      const length = (await bytes.exactly(2, offset + 2)).readUInt16BE(0);
      if (length < 2) throw new RefusedFile("unknownType");
      if (isFrameHeader(marker)) size = await jpegSize(bytes, offset, length);
      offset += 2 + length;
    }
    if (size === null && offset > jpegSizeWithin) throw new RefusedFile("noSize");
    if (marker !== 0xda) continue;
    if (size === null) throw new RefusedFile("noSize");
    if (!(await bytes.contain(jpegEnd, offset))) throw new RefusedFile("cutOff");
    return size;
  }
  throw new RefusedFile("unknownType");
}

const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Whether a marker is one of SOF0 to SOF15. Three codes in that range have other meanings. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

async function jpegSize(bytes: Bytes, offset: number, length: number): Promise<Size> {
  if (length < 7) throw new RefusedFile("noSize");
  const header = await bytes.exactly(9, offset);
  return { height: header.readUInt16BE(5), width: header.readUInt16BE(7) };
}

/** Checks the length that a RIFF declares. Its first chunk is the picture or, in the extended format, the size. */
async function inspectWebp(bytes: Bytes): Promise<Size> {
  const header = await bytes.exactly(30, 0);
  const end = 8 + header.readUInt32LE(4);
  const size = webpSize(header.toString("latin1", 12, 16), header.subarray(20));
  if (size === null || end < header.length) throw new RefusedFile("noSize");
  if (end > bytes.length) throw new RefusedFile("cutOff");
  return size;
}

/** Reads the size from the first ten bytes of an extended header, a lossless picture or a lossy one. */
function webpSize(name: string, data: Buffer): Size | null {
  if (name === "VP8X") return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  if (name === "VP8L" && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (name !== "VP8 " || data.readUIntBE(3, 3) !== 0x9d012a) return null;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** Bytes of an open file. The window that was read last stays in memory. */
class Bytes {
  readonly length: number;
  readonly #file: FileHandle;
  readonly #buffer = Buffer.alloc(windowLength);
  #window = { offset: 0, bytes: this.#buffer.subarray(0, 0) };

  constructor(file: FileHandle, length: number) {
    this.#file = file;
    this.length = length;
  }

  /** Returns up to `most` bytes, never more than a window. */
  async upTo(most: number, offset: number): Promise<Buffer> {
    const isRead = offset >= this.#window.offset;
    if (!isRead || offset + most > this.#window.offset + this.#window.bytes.length) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, windowLength, offset);
      this.#window = { offset, bytes: this.#buffer.subarray(0, bytesRead) };
    }
    const start = offset - this.#window.offset;
    return this.#window.bytes.subarray(start, start + most);
  }

  async exactly(length: number, offset: number): Promise<Buffer> {
    const bytes = await this.upTo(length, offset);
    if (bytes.length < length) throw new RefusedFile("cutOff");
    return bytes;
  }

  async contain(pattern: Buffer, from: number): Promise<boolean> {
    for (let offset = from; offset < this.length; offset += windowLength - pattern.length + 1)
      if ((await this.upTo(windowLength, offset)).includes(pattern)) return true;
    return false;
  }
}
