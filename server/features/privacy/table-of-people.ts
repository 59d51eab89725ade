import type { SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** `limitKeys`: under which attempts are counted. */
type ErasedPerson = { id: string; email: string; name: string; limitKeys: readonly string[] };
type Statement = (person: ErasedPerson) => SQL;

/** `erase`: statements in their order, or that rows go with the account's own. `stays`: why what remains may. */
type Erasure =
  | { erase: readonly [Statement, ...Statement[]] | "cascade"; stays?: never }
  | { erase?: readonly Statement[]; stays: string };

/**
 * What becomes of a table's rows about one person. `download`: the rows of "Download my data" by their subject, as
 * selects; `leftOut`: why it has none. A table that is missing here fails a test.
 */
export type TableOfPeople = Erasure & {
  table: PgTable;
  download?: Readonly<Record<string, (id: string) => SQL>>;
  leftOut?: string;
};
