import pg from "pg";

/** What broke a connection, or kept one from coming about. */
const broken = new WeakSet<object>();

/** Takes down that this error is about a connection: the driver gives it neither a code nor a class. */
export function markBroken(error: unknown): void {
  if (typeof error === "object" && error !== null) broken.add(error);
}

/**
 * PostgreSQL's codes for what is wrong with the server rather than with a statement: it can't be connected to (08), has
 * no room (53), was stopped or cut a statement short (57), can't read or write its disk (58), or takes no writes now.
 */
const serverCodes = /^(08|53|57|58)...$|^25006$/;

/** An error and what caused it, which Drizzle and the pool wrap. */
function* chain(error: unknown): Generator<object> {
  for (let at = error; typeof at === "object" && at !== null; at = at instanceof Error ? at.cause : null)
    yield at;
}

/** Whether something failed since the database is not there: not what was asked, and worth asking again later. */
export function isDatabaseFailure(error: unknown): boolean {
  for (const each of chain(error))
    if (broken.has(each) || (each instanceof pg.DatabaseError && serverCodes.test(each.code ?? "")))
      return true;
  return false;
}
