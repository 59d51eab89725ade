import { JSONParser } from "@streamparser/json";
import { importLimits } from "#domain/catalogue.ts";

/** A row of a file: its number, and its content or why it can't be read. */
export type FileRow = { number: number; form: unknown; problem: string | null };
/** A file that can't be read as a whole. */
export class UnreadableFile extends Error {}

/** Number of bytes that are parsed before the rows in them are yielded. */
const chunkSize = 16 * 1024;

/**
 * Reads `{ "source": …, "programmes": [ … ] }` programme by programme. `onSource` gets the source before the first one
 * is yielded. Throws `UnreadableFile`.
 */
export function* jsonRows(bytes: Buffer, onSource: (source: string) => void): Generator<FileRow> {
  const parser = new JSONParser({
    paths: ["$.source", "$.programmes", "$.programmes.*"],
    // Releases each row once it is yielded.
    keepStack: false,
  });
  let rows: FileRow[] = [];
  let number = 0;
  let hasList = false;
  parser.onValue = ({ key, value, stack }) => {
    if (typeof key === "number") rows.push({ number: ++number, form: value, problem: null });
    else if (stack.length > 1 || (key === "programmes" && !Array.isArray(value)))
      throw new UnreadableFile("`programmes` must be a list.");
    else if (key === "programmes") hasList = true;
    else if (number > 0) throw new UnreadableFile("`source` must stand before `programmes`.");
    else if (typeof value !== "string") throw new UnreadableFile("`source` must be a text.");
    else onSource(value);
  };
  let rowsEnd = 0;
  for (let at = 0; at < bytes.length; at += chunkSize) {
    try {
      parser.write(bytes.subarray(at, at + chunkSize));
    } catch (error) {
      if (error instanceof UnreadableFile) throw error;
      const place = number === 0 ? "" : ` after programme ${number}`;
      throw new UnreadableFile(`The file isn't JSON: it can't be read${place}.`);
    }
    // A row is in memory as a whole, so its size has a limit.
    if (rows.length > 0) rowsEnd = at + chunkSize;
    else if (at + chunkSize - rowsEnd > importLimits.row)
      throw new UnreadableFile(`Programme ${number + 1} has more than ${importLimits.row / 1024} KB.`);
    yield* rows;
    rows = [];
  }
  if (!parser.isEnded) throw new UnreadableFile("The file isn't JSON: it breaks off.");
  if (!hasList) throw new UnreadableFile("The file has no list called `programmes`.");
}
