import type { SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** `limitKeys`: under which attempts are counted. */
type ErasedPerson = { id: string; email: string; name: string; limitKeys: readonly string[] };

/** `removed`: statements in their order. `cascade`: goes with the account's row. `stays`: why what remains may. */
type Erasure =
  | { kind: "removed"; by: readonly ((person: ErasedPerson) => SQL)[] }
  | { kind: "cascade" }
  | { kind: "stays"; because: string; but?: readonly ((person: ErasedPerson) => SQL)[] };

/**
 * What becomes of a table's rows about one person. `download`: the rows of "Download my data" by their subject, as
 * selects; `leftOut`: why it has none, in words that the person reads. A table that is missing here fails a test.
 */
export type TableOfPeople = {
  table: PgTable;
  download?: Readonly<Record<string, (id: string) => SQL>>;
  leftOut?: string;
  erasure: Erasure;
};

export const cascade = { kind: "cascade" } as const;
export const removed = (...by: ((person: ErasedPerson) => SQL)[]): Erasure => ({ kind: "removed", by });
