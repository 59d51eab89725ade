import { and, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { containing } from "#server/platform/escape.ts";

/** Rows read in order before a search goes by its index: a text that many accounts have is found among them. */
export const readInOrder = 600;
const isShort = (part: string): boolean => /^[\p{L}\p{N}]{1,2}$/u.test(part);
/** The index is one of trigrams: it finds three letters or digits in a row, or the beginning of a word. */
export const isInIndex = (part: string): boolean => isShort(part) || /[\p{L}\p{N}]{3}/u.test(part);

/**
 * The text has each of the parts (`nameParts`), in whatever order; one or two letters or digits begin a word. The text
 * is of `people_text` or `plain_name`, and so are the parts.
 */
export const matching = (
  text: AnyPgColumn | SQL | SQL.Aliased<string>,
  parts: readonly string[],
): SQL | undefined =>
  and(
    ...parts.map((part) => {
      const pattern = containing(isShort(part) ? ` ${part}` : part);
      return sql`${text} like plain_name(${pattern})`;
    }),
  );
