import type { SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** The person to erase. `limitKeys` are the keys under which their attempts are counted. */
type ErasedPerson = { id: string; email: string; name: string; limitKeys: readonly string[] };
type Statement = (person: ErasedPerson) => SQL;

/**
 * `erase` lists the statements in order, or says that the rows are deleted with the account's. `keptBecause` explains
 * why the rest may remain.
 */
type Erasure =
  | { erase: readonly [Statement, ...Statement[]] | "cascade"; keptBecause?: never }
  | { erase?: readonly Statement[]; keptBecause: string };

/**
 * The handling of a table's rows about one person. `download` has the selects for "Download my data" by their subject;
 * `omittedBecause` explains why there are none. A table that is missing here fails a test.
 */
export type TableOfPeople = Erasure & {
  table: PgTable;
  download?: Readonly<Record<string, (id: string) => SQL>>;
  omittedBecause?: string;
};
