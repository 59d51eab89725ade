import { and, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { containing } from "#server/platform/escape.ts";

/** Rows scanned in order before the index is used; common texts are found among them. */
export const rowsScannedFirst = 600;
const isShort = (part: string): boolean => /^[\p{L}\p{N}]{1,2}$/u.test(part);
/** Whether the trigram index can find a part: it needs three letters or digits in a row, or the beginning of a word. */
export const isInIndex = (part: string): boolean => isShort(part) || /[\p{L}\p{N}]{3}/u.test(part);

/**
 * Matches texts that have each of the parts (`nameParts`), in any order. A part of one or two letters or digits must
 * begin a word. Both text and parts come from `people_text` or `plain_name`.
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

/** Returns the digits of a telephone number in the form that its index stores. */
const digitsOf = (phone: AnyPgColumn): SQL => sql`regexp_replace(${phone}, '\\D', '', 'g')`;
/** Matches telephone numbers with these digits in a row. */
export const matchingPhone = (phone: AnyPgColumn, digits: string): SQL =>
  sql`${digitsOf(phone)} like ${containing(digits)}`;
