import { type SQL, sql } from "drizzle-orm";

/** A text as a LIKE pattern that finds it anywhere: characters that mean something to LIKE stand for themselves. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * A text as searches compare it: without accents and letter case. Letters that Unicode does not take apart are named.
 * Only functions that never change, so that a column or an index may hold it.
 */
export const searchable = (text: SQL): SQL<string> =>
  sql<string>`replace(replace(translate(lower(regexp_replace(normalize(${text}, nfd), '[\\u0300-\\u036f]', '', 'g')), 'ıøłđ', 'iold'), 'ß', 'ss'), 'æ', 'ae')`;
