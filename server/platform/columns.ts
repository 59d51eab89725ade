import { bigint, customType, timestamp } from "drizzle-orm/pg-core";

/** Uses JavaScript's millisecond precision, so that pages by time neither repeat nor miss a row. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Integer cents. */
export const cents = (name: string) => bigint(name, { mode: "number" });

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
