/** Types of files by their first bytes, whatever the name says. */
export type MediaType = "application/pdf" | "image/jpeg" | "image/png" | "image/webp";
/** `noSize`: a picture that does not declare its size. `cutOff`: its end is missing. */
export type MediaProblem = "unknownType" | "noSize" | "cutOff";

export class MediaError extends Error {
  readonly problem: MediaProblem;
  constructor(problem: MediaProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** The next request of a parser: bytes to look at, bytes to pass over, or all bytes up to and with a pattern. */
export type Want = { take: number } | { skip: number } | { until: Buffer };
type Parser<Result = void> = Generator<Want, Result, Buffer>;
export type Size = { width: number; height: number };
export type Found = {
  type: MediaType | null;
  accepts(type: MediaType): boolean;
  /** The position where the format says that the file ends; null as long as it says nothing. */
  end: number | null;
  /** Bytes parsed so far. */
  position: number;
  onSize(size: Size): void;
};

const jpegStart = Buffer.from([0xff, 0xd8]);
const jpegEnd = Buffer.from([0xff, 0xd9]);
const pdfStart = Buffer.from("%PDF-", "latin1");
const pdfEnd = Buffer.from("%%EOF", "latin1");
const vp8Start = Buffer.from([0x9d, 0x01, 0x2a]);
const riffStart = Buffer.from("RIFF", "latin1");
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes within which a JPEG must declare its size: previews and colour profiles stand before it. */
const jpegSizeWithin = 1024 * 1024;

/** Parses a file by the type that its first bytes show. */
export function* parseFile(found: Found): Parser {
  const two = yield { take: 2 };
  if (two.equals(jpegStart) && found.accepts("image/jpeg")) return yield* parseJpeg(found);
  const four = Buffer.concat([two, yield { take: 2 }]);
  if (four.equals(riffStart) && found.accepts("image/webp")) return yield* parseWebp(found);
  const five = Buffer.concat([four, yield { take: 1 }]);
  if (five.equals(pdfStart) && found.accepts("application/pdf")) return yield* parsePdf(found);
  const eight = Buffer.concat([five, yield { take: 3 }]);
  if (eight.equals(pngStart) && found.accepts("image/png")) return yield* parsePng(found);
  throw new MediaError("unknownType");
}

/** A PDF that was saved several times has several ends: the last counts. */
function* parsePdf(found: Found): Parser {
  found.type = "application/pdf";
  for (;;) {
    yield { until: pdfEnd };
    found.end = found.position;
  }
}

/** Chunks of length, name, data and checksum, from IHDR with the size to IEND. */
function* parsePng(found: Found): Parser {
  const header = yield { take: 16 };
  if (header.readUInt32BE(0) !== 13 || header.toString("latin1", 4, 8) !== "IHDR")
    throw new MediaError("noSize");
  found.type = "image/png";
  found.onSize({ width: header.readUInt32BE(8), height: header.readUInt32BE(12) });
  yield { skip: 9 };
  for (;;) {
    const chunk = yield { take: 8 };
    yield { skip: chunk.readUInt32BE(0) + 4 };
    if (chunk.toString("latin1", 4, 8) === "IEND") break;
  }
  found.end = found.position;
}

/** Segments up to the first scan, one of them a frame header with the size; then picture data up to the end mark. */
function* parseJpeg(found: Found): Parser {
  let isSized = false;
  for (;;) {
    const marker = yield* nextMarker();
    found.type = "image/jpeg";
    if (marker === 0xd9) throw new MediaError("noSize");
    if (isFrameHeader(marker)) isSized = yield* parseFrameHeader(found);
    else if (marker !== 0x01 && (marker < 0xd0 || marker > 0xd7)) yield* parseSegment();
    if (!isSized && found.position > jpegSizeWithin) throw new MediaError("noSize");
    if (marker === 0xda) break;
  }
  if (!isSized) throw new MediaError("noSize");
  yield { until: jpegEnd };
  found.end = found.position;
}

function* nextMarker(): Parser<number> {
  const [mark = 0, first = 0] = yield { take: 2 };
  if (mark !== 0xff) throw new MediaError("unknownType");
  let code = first;
  // Any number of fill bytes may stand before a marker's code.
  while (code === 0xff) [code = 0] = yield { take: 1 };
  if (code === 0) throw new MediaError("unknownType");
  return code;
}

/** SOF0 to SOF15, without the three codes among them that mean tables. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function* parseFrameHeader(found: Found): Parser<true> {
  const header = yield { take: 7 };
  if (header.readUInt16BE(0) < 7) throw new MediaError("noSize");
  found.onSize({ height: header.readUInt16BE(3), width: header.readUInt16BE(5) });
  yield { skip: header.readUInt16BE(0) - 7 };
  return true;
}

function* parseSegment(): Parser {
  const length = (yield { take: 2 }).readUInt16BE(0);
  if (length < 2) throw new MediaError("unknownType");
  yield { skip: length - 2 };
}

/**
 * Parses a RIFF that declares its length. Its first chunk is the picture or, in the extended format, the frame's size.
 */
function* parseWebp(found: Found): Parser {
  const header = yield { take: 8 };
  if (header.toString("latin1", 4) !== "WEBP") throw new MediaError("unknownType");
  found.type = "image/webp";
  const end = 8 + header.readUInt32LE(0);
  const name = (yield { take: 8 }).toString("latin1", 0, 4);
  const size = webpSize(name, yield { take: 10 });
  if (!size || end < found.position) throw new MediaError("noSize");
  found.onSize(size);
  yield { skip: end - found.position };
  found.end = found.position;
}

/** Reads the size from the first ten bytes of the first chunk: of a frame, of a lossless picture, or of a lossy one. */
function webpSize(name: string, data: Buffer): Size | null {
  if (name === "VP8X") return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  if (name === "VP8L" && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (name !== "VP8 " || !data.subarray(3, 6).equals(vp8Start)) return null;
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}
