import { type SQL, sql } from "drizzle-orm";

/** A text as a LIKE pattern that finds it at the beginning: characters that mean something to LIKE stand for themselves. */
export const beginning = (text: string): string => `${text.replace(/[\\%_]/g, "\\$&")}%`;
/** The same, to find it anywhere. */
export const containing = (text: string): string => `%${beginning(text)}`;

/** A text as it is stored where letter case must not count: by the database, whose `lower` is not quite JavaScript's. */
export const folded = (text: string): SQL<string> => sql<string>`lower(${text})`;
