/** What a file is by its first bytes, whatever its name says. */
export type MediaType = "application/pdf" | "image/jpeg" | "image/png";
/** `noSize`: a picture that does not tell its size. `cutOff`: its end is missing. */
export type MediaProblem = "unknownType" | "noSize" | "cutOff";

export class MediaError extends Error {
  readonly problem: MediaProblem;
  constructor(problem: MediaProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** What a walk through a file asks for next: bytes to look at, bytes to pass over, or all up to and with a pattern. */
type Want = { take: number } | { skip: number } | { until: Buffer };
type Walk<Result = void> = Generator<Want, Result, Buffer>;
type Size = { width: number; height: number };
type Found = {
  type: MediaType | null;
  /** Where the format says that the file ends; null as long as it does not. */
  end: number | null;
  /** Bytes walked so far. */
  position: number;
  onSize(size: Size): void;
};

const jpegStart = Buffer.from([0xff, 0xd8]);
const jpegEnd = Buffer.from([0xff, 0xd9]);
const pdfStart = Buffer.from("%PDF-", "latin1");
const pdfEnd = Buffer.from("%%EOF", "latin1");
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes within which a JPEG must tell its size: previews and colour profiles stand before it. */
const jpegSizeWithin = 1024 * 1024;
/** Bytes that may follow the end mark of a PDF, as readers accept it. */
const pdfTrailer = 1024;

function* walkFile(found: Found): Walk {
  const two = yield { take: 2 };
  if (two.equals(jpegStart)) return yield* walkJpeg(found);
  const five = Buffer.concat([two, yield { take: 3 }]);
  if (five.equals(pdfStart)) return yield* walkPdf(found);
  const eight = Buffer.concat([five, yield { take: 3 }]);
  if (eight.equals(pngStart)) return yield* walkPng(found);
  throw new MediaError("unknownType");
}

/** A PDF that was saved several times has several ends: the last counts. */
function* walkPdf(found: Found): Walk {
  found.type = "application/pdf";
  for (;;) {
    yield { until: pdfEnd };
    found.end = found.position;
  }
}

/** Chunks of length, name, data and checksum, from IHDR with the size to IEND. */
function* walkPng(found: Found): Walk {
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
function* walkJpeg(found: Found): Walk {
  let isSized = false;
  for (;;) {
    const marker = yield* nextMarker();
    found.type = "image/jpeg";
    if (marker === 0xd9) throw new MediaError("noSize");
    if (isFrameHeader(marker)) isSized = yield* walkFrameHeader(found);
    else if (marker !== 0x01 && (marker < 0xd0 || marker > 0xd7)) yield* walkSegment();
    if (!isSized && found.position > jpegSizeWithin) throw new MediaError("noSize");
    if (marker === 0xda) break;
  }
  if (!isSized) throw new MediaError("noSize");
  yield { until: jpegEnd };
  found.end = found.position;
}

function* nextMarker(): Walk<number> {
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

function* walkFrameHeader(found: Found): Walk<true> {
  const header = yield { take: 7 };
  if (header.readUInt16BE(0) < 7) throw new MediaError("noSize");
  found.onSize({ height: header.readUInt16BE(3), width: header.readUInt16BE(5) });
  yield { skip: header.readUInt16BE(0) - 7 };
  return true;
}

function* walkSegment(): Walk {
  const length = (yield { take: 2 }).readUInt16BE(0);
  if (length < 2) throw new MediaError("unknownType");
  yield { skip: length - 2 };
}

const nothing = Buffer.alloc(0);

/**
 * Looks at a file as it streams by, holding a few bytes of it. `onSize` hears what a picture's header declares, in
 * pixels, and may throw. `push` throws MediaError at the first byte that is wrong; `end` tells what the file is, or
 * throws for one that ends too early. What stands behind a picture's end is let be.
 */
export function createRecogniser(onSize: (size: Size) => void) {
  const found: Found = { type: null, end: null, position: 0, onSize };
  const walk = walkFile(found);
  let want: Want | null = walk.next().value ?? null;
  let held = nothing;
  let received = 0;

  function go(piece: Buffer) {
    want = walk.next(piece).value ?? null;
  }

  /** Gives the walk what it wants; the bytes that are left, or null when it needs more or nothing any more. */
  function feed(bytes: Buffer): Buffer | null {
    const wanted = want;
    if (wanted === null) return null;
    const enough =
      "take" in wanted ? wanted.take : "skip" in wanted ? wanted.skip : ending(bytes, wanted.until);
    if (bytes.length < enough) return null;
    found.position += enough;
    go(bytes.subarray(0, "take" in wanted ? enough : 0));
    return bytes.subarray(enough);
  }

  /** Passes over what it will not need again, and keeps the rest without the chunk that it came in. */
  function hold(bytes: Buffer) {
    const passed =
      want === null || "skip" in want
        ? bytes.length
        : "until" in want
          ? Math.max(0, bytes.length - want.until.length + 1)
          : 0;
    found.position += passed;
    if (want && "skip" in want) want = { skip: want.skip - passed };
    held = Buffer.from(bytes.subarray(passed));
  }

  /** A pattern that does not stand across the two pieces is looked for in the new one alone, without a copy of it. */
  function passBridge(fresh: Buffer) {
    if (want === null || !("until" in want) || held.length === 0) return;
    const bridge = Buffer.concat([held, fresh.subarray(0, want.until.length - 1)]);
    if (fresh.length < want.until.length || bridge.includes(want.until)) return;
    found.position += held.length;
    held = nothing;
  }

  return {
    push(chunk: Uint8Array): void {
      received += chunk.length;
      const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      passBridge(fresh);
      let rest = held.length > 0 ? Buffer.concat([held, fresh]) : fresh;
      for (let left = feed(rest); left !== null; left = feed(left)) rest = left;
      hold(rest);
    },
    end(): MediaType {
      if (found.type === null) throw new MediaError("unknownType");
      const isWhole =
        found.end !== null && (found.type !== "application/pdf" || received - found.end <= pdfTrailer);
      if (!isWhole) throw new MediaError("cutOff");
      return found.type;
    },
  };
}

function ending(bytes: Buffer, pattern: Buffer): number {
  const at = bytes.indexOf(pattern);
  return at < 0 ? Number.POSITIVE_INFINITY : at + pattern.length;
}
