import { z } from "zod";

/** PostgreSQL takes neither a NUL character nor half of a surrogate pair. */
export const cursorText = z.string().refine((value) => !value.includes("\0") && value.isWellFormed());
/**
 * Times as JavaScript writes them. PostgreSQL has no year 0 and reads no endless fraction; nothing of ours is older
 * than 1970.
 */
export const cursorTime = z.iso.datetime({ precision: 3 }).refine((written) => Date.parse(written) >= 0);

/** The position from which a page of a list goes on: after this key, or at this key after this id. */
export type Cursor = { key: string; id: string };
/** A cursor of a list with such keys and ids. */
export const cursorForm = (key: z.ZodType<string>, id: z.ZodType<string> = cursorText) =>
  z.tuple([key, id]).transform(([key, id]): Cursor => ({ key, id }));

/** A cursor as a browser sends it back. */
export const writeCursor = (...cursor: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** Reads a cursor. Null when the text is not one of ours. */
export function readCursor<Read>(written: string, form: z.ZodType<Read>): Read | null {
  try {
    return form.parse(JSON.parse(Buffer.from(written, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** Returns the rows of a page, of which one more was read, and the cursor of the next page; null on the last one. */
export function paginate<Row, Next>(candidates: readonly Row[], size: number, next: (last: Row) => Next) {
  const rows = candidates.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: candidates.length > size && last !== undefined ? next(last) : null };
}
