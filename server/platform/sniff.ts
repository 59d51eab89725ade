import { type Found, MediaError, type MediaType, parseFile, type Size, type Want } from "./media-parsers.ts";

/** Bytes that may follow the end mark of a PDF, as readers accept it. */
const pdfTrailer = 1024;
const nothing = Buffer.alloc(0);
/**
 * Parts of a file that are looked at one by one: chunks, segments, fill bytes, ends of a PDF. Honest files have a few
 * thousand; each takes about a microsecond of everybody's time.
 */
const mostParts = 100_000;

/**
 * Recognises a file by its content as it streams by, holding a few bytes of it; only those of `types` are taken.
 * `onSize` gets what a picture's header declares, in pixels, and may throw. `push` throws MediaError at the first byte
 * that is wrong; `end` returns what the file is, or throws for one that ends too early. What stands behind a picture's
 * end is let be.
 */
export function createSniffer<Type extends MediaType>(types: readonly Type[], onSize: (size: Size) => void) {
  const accepts = (type: MediaType) => types.some((each) => each === type);
  const found: Found = { type: null, accepts, end: null, position: 0, onSize };
  const parser = parseFile(found);
  let want: Want | null = parser.next().value ?? null;
  let held = nothing;
  let received = 0;
  let parts = 0;

  function go(piece: Buffer) {
    parts += 1;
    if (parts > mostParts) throw new MediaError("unknownType");
    want = parser.next(piece).value ?? null;
  }

  /** Gives the parser what it wants; the bytes that are left, or null when it needs more or nothing any more. */
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
    end(): Type {
      const type = types.find((each) => each === found.type);
      if (type === undefined) throw new MediaError("unknownType");
      const isWhole =
        found.end !== null && (found.type !== "application/pdf" || received - found.end <= pdfTrailer);
      if (!isWhole) throw new MediaError("cutOff");
      return type;
    },
  };
}

function ending(bytes: Buffer, pattern: Buffer): number {
  const at = bytes.indexOf(pattern);
  return at < 0 ? Number.POSITIVE_INFINITY : at + pattern.length;
}
