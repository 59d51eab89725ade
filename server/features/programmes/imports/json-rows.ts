import { importLimits } from "#domain/catalogue.ts";

/** A row of a file: its number, and what it says or why it can't be read. */
export type FileRow = { number: number; form: unknown; problem: string | null };
/** A file that can't be read as a whole. */
export class UnreadableFile extends Error {}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Finds the parts of JSON in its bytes, without making values of all of it at once. */
class JsonParts {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    // A byte order mark.
    this.#at = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  }

  /** Skips spaces, and returns the byte after them. */
  peek(): number | undefined {
    while (isSpace(this.#bytes[this.#at])) this.#at++;
    return this.#bytes[this.#at];
  }

  /** Takes this byte, or fails. */
  take(byte: number): void {
    if (!this.skip(byte)) throw this.broken();
  }

  skip(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.#at++;
    return true;
  }

  broken(): UnreadableFile {
    return new UnreadableFile(`The file isn't JSON: it can't be read at byte ${this.#at + 1}.`);
  }

  /** Takes a whole value, and returns its bytes. */
  value(): Buffer {
    this.peek();
    const start = this.#at;
    let depth = 0;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === quote) this.#skipString();
      else if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket || byte === comma) {
        if (depth === 0) break;
        if (byte !== comma) depth--;
      }
    }
    if (depth > 0 || this.#at === start) throw this.broken();
    return this.#bytes.subarray(start, this.#at);
  }

  /** Stands at the last quotation mark of a string afterwards. */
  #skipString(): void {
    this.#at++;
    while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== quote)
      this.#at += this.#bytes[this.#at] === backslash ? 2 : 1;
  }

  name(): string {
    if (this.peek() !== quote) throw this.broken();
    const start = this.#at;
    this.#skipString();
    this.#at++;
    return String(this.#parsed(this.#bytes.subarray(start, this.#at)));
  }

  text(): string {
    const value = this.#parsed(this.value());
    if (typeof value !== "string") throw new UnreadableFile("`source` must be a text.");
    return value;
  }

  #parsed(bytes: Buffer): unknown {
    try {
      return JSON.parse(bytes.toString("utf8"));
    } catch {
      throw this.broken();
    }
  }
}

function rowOf(number: number, bytes: Buffer): FileRow {
  if (bytes.length > importLimits.row)
    return { number, form: null, problem: `It has more than ${importLimits.row / 1024} KB.` };
  try {
    return { number, form: JSON.parse(bytes.toString("utf8")), problem: null };
  } catch {
    return { number, form: null, problem: "It isn't JSON." };
  }
}

/**
 * Reads `{ "source": …, "programmes": [ … ] }` programme by programme. `onSource` gets the source before the first of
 * them. Throws `UnreadableFile`.
 */
export function* jsonRows(bytes: Buffer, onSource: (source: string) => void): Generator<FileRow> {
  const parts = new JsonParts(bytes);
  let hasProgrammes = false;
  parts.take(openBrace);
  while (!parts.skip(closeBrace)) {
    const name = parts.name();
    parts.take(colon);
    if (name === "source") {
      if (hasProgrammes) throw new UnreadableFile("`source` must stand before `programmes`.");
      onSource(parts.text());
    } else if (name === "programmes" && !hasProgrammes) {
      hasProgrammes = true;
      yield* elements(parts);
    } else parts.value();
    if (!parts.skip(comma) && parts.peek() !== closeBrace) throw parts.broken();
  }
  if (parts.peek() !== undefined) throw parts.broken();
  if (!hasProgrammes) throw new UnreadableFile("The file has no list called `programmes`.");
}

function* elements(parts: JsonParts): Generator<FileRow> {
  parts.take(openBracket);
  for (let number = 1; !parts.skip(closeBracket); number++) {
    yield rowOf(number, parts.value());
    if (!parts.skip(comma) && parts.peek() !== closeBracket) throw parts.broken();
  }
}
