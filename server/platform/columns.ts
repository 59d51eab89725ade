import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/**
 * Millisecond precision, as in JavaScript, so that a page that continues after a moment neither repeats nor misses a
 * row.
 */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Integer cents. */
export const cents = (name: string) => bigint(name, { mode: "number" });

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
