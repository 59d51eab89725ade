import pg from "pg";

/** The code of the system ("ENOENT" …) or of PostgreSQL for what went wrong, of an error or of its cause; or null. */
export function errorCode(error: unknown): string | null {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  for (const at of [error, cause]) {
    const { code }: { code?: unknown } = Object(at);
    if (typeof code === "string") return code;
  }
  return null;
}

/** Errors of connections that broke or could not be opened. */
const broken = new WeakSet<object>();

/** Marks an error as one of a connection: the driver gives it neither a code nor a class. */
export function markBroken(error: unknown): void {
  if (typeof error === "object" && error !== null) broken.add(error);
}

/**
 * PostgreSQL's codes for failures of the server rather than of a statement: connection (08), resources (53), operator
 * intervention (57), system errors (58), and a transaction that is read-only (25006).
 */
const serverCodes = /^(08|53|57|58)...$|^25006$/;

/** An error and what caused it, which Drizzle and the pool wrap. */
function* chain(error: unknown): Generator<object> {
  for (let at = error; typeof at === "object" && at !== null; at = at instanceof Error ? at.cause : null)
    yield at;
}

/** Whether the database failed rather than the statement: worth trying again later. */
export function isDatabaseFailure(error: unknown): boolean {
  for (const each of chain(error))
    if (broken.has(each) || (each instanceof pg.DatabaseError && serverCodes.test(each.code ?? "")))
      return true;
  return false;
}
