import { AsyncLocalStorage } from "node:async_hooks";
import { fileURLToPath } from "node:url";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

/** Where PostgreSQL is: an address, or the embedded server's socket. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };
export type Transaction = NodePgDatabase;
export type Database = ReturnType<typeof openDatabase>;

const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));
/** Any number, the same on every node: who holds it migrates. */
const migrationLock = 7_233_001;

/**
 * A connection that may break at any time. Whoever asks something of it hears of that by the query that fails; the
 * event that says the same, while a pool has lent it out and does not listen, would end the process.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}

/** Brings the tables up to date. Several nodes may start together: one migrates, the others wait for it. */
export async function migrateDatabase(address: DatabaseAddress): Promise<void> {
  const client = new SteadyClient(address);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    // Ending the connection frees the lock, whatever state it is in.
    await client.end();
  }
}

/**
 * The pool and what stands on it. `onIdleError` hears of connections that broke while nobody used them, as when
 * PostgreSQL restarts: the pool replaces them by itself.
 */
export function openDatabase(address: DatabaseAddress, onIdleError: (error: Error) => void) {
  const options = {
    ...address,
    Client: SteadyClient,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  };
  const pool = new pg.Pool({ ...options, max: 16 });
  /** Connections that send what is asked at once without waiting for the answers in between. */
  const pipelines = new pg.Pool({ ...options, max: 8, pipeline: true });
  let closing = false;
  for (const each of [pool, pipelines])
    each.on("error", (error) => {
      // A server that stops at the same time may be faster than the pool's farewell.
      if (!closing) onIdleError(error);
    });
  const db: NodePgDatabase = drizzle(pool);
  const current = new AsyncLocalStorage<Transaction>();

  /** The transaction the caller is in, or the pool: for the identity library, which knows no transaction of ours. */
  const ambient = new Proxy(db, {
    get(_target, key) {
      const at = current.getStore() ?? db;
      const value: unknown = Reflect.get(at, key);
      return typeof value === "function" ? value.bind(at) : value;
    },
  });

  /** Runs the work in a transaction of its own: all of it is kept, or on any error nothing. */
  const transaction = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    db.transaction((tx) => current.run(tx, () => work(tx)));

  /** Whether PostgreSQL answers. */
  async function answers(): Promise<boolean> {
    return await pool.query("select 1").then(
      () => true,
      () => false,
    );
  }

  async function close(): Promise<void> {
    closing = true;
    await Promise.all([pool.end(), pipelines.end()]);
  }

  return { address, db, ambient, pool, pipelines, transaction, answers, close };
}

/** PostgreSQL's code for "this must be unique and already exists". */
export function isUniqueViolation(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return [error, cause].some(
    (at) => typeof at === "object" && at !== null && Reflect.get(at, "code") === "23505",
  );
}
