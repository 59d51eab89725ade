import { asc, desc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Reader } from "./database.ts";

/** Forms of a list's column values in a cursor. */
const forms = {
  /** PostgreSQL takes neither a NUL character nor half of a surrogate pair. */
  text: z.string().refine((value) => !value.includes("\0") && value.isWellFormed()),
  /** Times as JavaScript writes them. PostgreSQL has no year 0; nothing of ours is older than 1970. */
  time: z.iso.datetime({ precision: 3 }).refine((text) => Date.parse(text) >= 0),
  /** Times with microseconds, for columns where milliseconds would repeat or miss rows between pages. */
  exactTime: z.iso.datetime({ precision: 6 }),
  /** Whole numbers such as cents. */
  number: z.string().regex(/^\d{1,15}$/),
  uuid: z.uuid(),
};
type Form = keyof typeof forms | z.ZodType<string>;
const formOf = (form: Form): z.ZodType<string> => (typeof form === "string" ? forms[form] : form);

/** The position after which a page starts: the last row's values in the columns of the list's order. */
export type Cursor = readonly (string | Date)[];
/** Returns the schema of cursors for an order by columns of these forms. */
export const cursorForm = (first: Form, ...others: readonly Form[]): z.ZodType<Cursor> =>
  z.tuple([formOf(first), ...others.map(formOf)]);

/** Writes a cursor as browsers send it back. */
export const writeCursor = (cursor: readonly (string | number | Date)[]): string =>
  Buffer.from(JSON.stringify(cursor)).toString("base64url");

/** Reads a cursor. Null when the text is not one of ours. */
export function readCursor<Read>(text: string, form: z.ZodType<Read>): Read | null {
  try {
    return form.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/**
 * An order of a list. `by` is for ORDER BY, and `after` is the condition that a row comes after a cursor; undefined at
 * the beginning.
 */
export type ListOrder = { by: SQL[]; after(cursor: Cursor | null): SQL | undefined };

const ordered =
  (direction: typeof asc, sign: SQL) =>
  (...columns: SQLWrapper[]): ListOrder => ({
    by: columns.map((column) => direction(column)),
    after: (cursor) =>
      cursor
        ? sql`(${sql.join(columns, sql`, `)}) ${sign} (${sql.join(
            cursor.map((value) => sql`${value}`),
            sql`, `,
          )})`
        : undefined,
  });

/**
 * Orders a list by these columns, the last of which is unique. All have one direction, so that PostgreSQL compares a
 * cursor as a whole and an index of the columns finds its row directly.
 */
export const ascending = ordered(asc, sql`>`);
export const descending = ordered(desc, sql`<`);

/** Returns the rows of a page and, if there is one more candidate, the cursor of the next page, else null. */
export function paginate<Row, Next>(candidates: readonly Row[], size: number, next: (last: Row) => Next) {
  const rows = candidates.slice(0, size);
  const last = rows.at(-1);
  return { rows, next: candidates.length > size && last !== undefined ? next(last) : null };
}

/**
 * Reads a list of several kinds of rows, each by its own index, and merges them, the newest first. The kinds are read
 * one after the other, so that a search takes only one of the few connections.
 */
export async function mergeNewest<Kind, Row>(
  kinds: readonly Kind[],
  read: (kind: Kind) => PromiseLike<Row[]>,
  position: (row: Row) => readonly [at: Date, id: string],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) rows.push(...(await read(kind)));
  return rows.toSorted((one, other) => {
    const [[at, id], [otherAt, otherId]] = [position(one), position(other)];
    return otherAt.getTime() - at.getTime() || (id < otherId ? 1 : -1);
  });
}

/**
 * Runs the steps of a search until one finds more rows than a page has, and returns the longest result. Reading in
 * order finds a common text fast, the search index finds a rare one (docs/adr/0013-search.md).
 */
export async function firstFull<Row>(size: number, steps: readonly (() => PromiseLike<Row[]>)[]) {
  let fullest: Row[] = [];
  for (const step of steps) {
    const rows = await step();
    if (rows.length > fullest.length) fullest = rows;
    if (fullest.length > size) break;
  }
  return fullest;
}

/** Counts the rows that meet a condition, up to one more than `most`, which says that there are more. */
export const countUpTo = (db: Reader, most: number, table: PgTable, condition: SQL | undefined) =>
  db.select({ count: sql<number>`count(*)::int` }).from(
    db
      .select({ one: sql`1`.as("one") })
      .from(table)
      .where(condition)
      .limit(most + 1)
      .as("some"),
  );
