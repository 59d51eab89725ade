import pg from "pg";

/** Returns the system's ("ENOENT" …) or PostgreSQL's code of an error or of its cause; null if there is none. */
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

/** Yields an error and its causes, since Drizzle and the pool wrap errors. */
function* chain(error: unknown): Generator<object> {
  for (let at = error; typeof at === "object" && at !== null; at = at instanceof Error ? at.cause : null)
    yield at;
}

/** Whether the database failed rather than the statement, so that it is worth trying again later. */
export function isDatabaseFailure(error: unknown): boolean {
  for (const each of chain(error))
    if (broken.has(each) || (each instanceof pg.DatabaseError && serverCodes.test(each.code ?? "")))
      return true;
  return false;
}
