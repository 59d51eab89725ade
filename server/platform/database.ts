import { Socket } from "node:net";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { errorCode, isDatabaseFailure, markBroken } from "./error-code.ts";
import { OncePerMinute } from "./once-per-minute.ts";
import { isTracing, partSpan, requests, traceStatements } from "./tracing.ts";

/** The address of PostgreSQL, or the embedded server's socket. */
export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };
type AfterCommit = () => void | Promise<void>;
/**
 * Code that must run in a transaction takes this: the pool can't be passed instead. `afterCommit` is for actions that
 * may only happen once the change is visible: they run in order before the command returns, and never when the
 * transaction failed.
 */
export type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0] & {
  afterCommit(callback: AfterCommit): void;
};
/** For code that may run in a transaction or by itself. */
export type Reader = NodePgDatabase;
export type Database = ReturnType<typeof openDatabase>;

/** Searches that run at a time on a node, each on a connection of its own. */
export const searchConcurrency = 3;
/** Milliseconds that a statement may take, and one of a search. */
const [timeLimit, searchTimeLimit] = ["30000", "1000"];

/**
 * The sockets of connections to PostgreSQL, so that all can be closed at once, and new ones refused while the server
 * does not answer. `open` is for the driver's option `stream`.
 */
export class DatabaseSockets {
  readonly #open = new Set<Socket>();
  #refusal: string | null = null;

  readonly open = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    const refusal = this.#refusal;
    // The driver connects it in the same tick.
    if (refusal !== null) process.nextTick(() => socket.destroy(new Error(refusal)));
    return socket;
  };

  /** Closes all: queries that wait for an answer fail at once for this reason, and pools open new connections. */
  cut(reason: string): void {
    for (const socket of this.#open) socket.destroy(new Error(reason));
  }

  /** Closes all, and lets no connection be opened until `allow`. */
  refuse(reason: string): void {
    this.#refusal = reason;
    this.cut(reason);
  }

  allow(): void {
    this.#refusal = null;
  }
}

/**
 * A connection that may break at any time. Its user notices that by the query that fails. Without a listener the error
 * event would end the process while a pool has lent the connection out.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on("error", markBroken);
    if (isTracing()) traceStatements(this);
  }
}

/** Returns what sets up a new connection: the pool waits for it. Poolers refuse settings as parameters of the start. */
const setUp =
  (settings: Record<string, string>) =>
  (client: pg.ClientBase): unknown =>
    client.query("select set_config(name, value, false) from json_each_text($1) setting (name, value)", [
      JSON.stringify({ idle_in_transaction_session_timeout: "30000", ...settings }),
    ]);

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: () => void,
) => void;

/** A pool that marks failures to connect, or to get a connection in time, as failures of the database. */
class SteadyPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback)
      return super.connect().catch((error: unknown) => {
        markBroken(error);
        throw error;
      });
    super.connect((error, client, done) => {
      markBroken(error);
      callback(error, client, done);
    });
    return undefined;
  }
}

/**
 * Opens the connections. `onError` gets errors that fail no caller: connections that broke while nobody used them, as
 * when PostgreSQL restarts (the pool replaces them by itself), and callbacks after a commit.
 */
export function openDatabase(address: DatabaseAddress, onError: (error: unknown, what: string) => void) {
  const sockets = new DatabaseSockets();
  const options = {
    ...address,
    Client: SteadyClient,
    stream: sockets.open,
    connectionTimeoutMillis: 10_000,
    onConnect: setUp({ statement_timeout: timeLimit }),
  };
  const pool = new SteadyPool({ ...options, max: 16 });
  /**
   * Connections that send queries at once without waiting for the answers in between. Their few statements have names and
   * are planned once: PostgreSQL would rather plan those with lists anew each time, which takes longer than running them.
   */
  const pipelines = new SteadyPool({
    ...options,
    max: 8,
    pipeline: true,
    onConnect: setUp({ statement_timeout: timeLimit, plan_cache_mode: "force_generic_plan" }),
  });
  /** Connections for searches, whose cost depends on the typed text: few, with a short time limit. */
  const searchPool = new SteadyPool({
    ...options,
    max: searchConcurrency,
    onConnect: setUp({ statement_timeout: searchTimeLimit }),
  });
  let closing = false;
  const outage = new OncePerMinute();
  for (const each of [pool, pipelines, searchPool])
    each.on("error", (error) => {
      // A server that stops at the same time may close the connection before the pool does. The request for which the
      // connection was opened is long over.
      if (!closing && outage.isDue(error)) requests.exit(() => onError(error, "a database connection broke"));
    });
  const db: NodePgDatabase = drizzle(pool);
  const searchDb: NodePgDatabase = drizzle(searchPool);

  /** A connection that failed is closed rather than given back: its server may be gone. */
  async function onOneConnection<Result>(work: (own: Reader) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let failure: unknown = null;
    const keep = (error: Error) => (failure = error);
    client.on("error", keep);
    try {
      return await work(drizzle(client));
    } catch (error) {
      // The error thrown may only say that the rollback failed.
      failure ??= isDatabaseFailure(error) ? error : null;
      throw failure ?? error;
    } finally {
      client.off("error", keep);
      client.release(failure !== null);
    }
  }

  /** Runs the work in a transaction of its own: all of it is kept, or on any error nothing. */
  async function transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const callbacks: AfterCommit[] = [];
    const afterCommit = (callback: AfterCommit) => void callbacks.push(callback);
    const result = await partSpan("transaction", () =>
      onOneConnection((own) => own.transaction((tx) => work(Object.assign(tx, { afterCommit })))),
    );
    for (const callback of callbacks)
      try {
        await callback();
      } catch (error) {
        onError(error, "a callback after a commit failed");
      }
    return result;
  }

  /** Whether PostgreSQL answers. */
  async function answers(): Promise<boolean> {
    return await pool.query("select 1").then(
      () => true,
      () => false,
    );
  }

  async function close(): Promise<void> {
    closing = true;
    await Promise.all([pool.end(), pipelines.end(), searchPool.end()]);
  }

  return { address, sockets, db, pool, pipelines, searchPool, searchDb, transaction, answers, close };
}

/** PostgreSQL says "this must be unique and already exists". */
export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === "23505";
