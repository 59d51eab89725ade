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
 * The parameter of code that must run in a transaction: the pool can't be passed instead. `afterCommit` is for actions
 * that may only happen once the change is visible. They run in order before the command returns, and never if the
 * transaction failed.
 */
export type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0] & {
  afterCommit(callback: AfterCommit): void;
};
/** The parameter of code that may run inside or outside a transaction. */
export type Reader = NodePgDatabase;
export type Database = ReturnType<typeof openDatabase>;

/** Concurrent searches on a node, each on its own connection. */
export const searchConcurrency = 3;
/** Milliseconds that a statement may take, in general and in a search. */
const [timeLimit, searchTimeLimit] = ["30000", "1000"];

/**
 * The sockets of connections to PostgreSQL, so that all can be closed together, and new ones refused while the server
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

  /** Closes all sockets: pending queries fail immediately for this reason, and pools open new connections. */
  cut(reason: string): void {
    for (const socket of this.#open) socket.destroy(new Error(reason));
  }

  /** Closes all sockets, and refuses new connections until `allow` is called. */
  refuse(reason: string): void {
    this.#refusal = reason;
    this.cut(reason);
  }

  allow(): void {
    this.#refusal = null;
  }
}

/**
 * A connection that may break at any time, which its user notices by a failing query. Without the listener the error
 * event would end the process while the connection is checked out of its pool.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on("error", markBroken);
    if (isTracing()) traceStatements(this);
  }
}

/** Returns the set-up that a pool awaits for a new connection. Poolers refuse settings as startup parameters. */
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
 * Opens the connection pools. `onError` receives the errors that reach no caller: of connections that broke while idle,
 * as when PostgreSQL restarts (the pool replaces them), and of callbacks after a commit.
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
   * Connections that send queries without waiting for the answers in between. Their few statements are named and
   * planned once: PostgreSQL would plan those with lists again each time, which takes longer than running them.
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
      // A server that stops at the same time may close the connection before the pool does. The request that opened the
      // connection is long over.
      if (!closing && outage.isDue(error)) requests.exit(() => onError(error, "a database connection broke"));
    });
  const db: NodePgDatabase = drizzle(pool);
  const searchDb: NodePgDatabase = drizzle(searchPool);

  /** Closes a connection that failed instead of returning it to the pool: its server may be gone. */
  async function onOneConnection<Result>(work: (own: Reader) => Promise<Result>): Promise<Result> {
    const client = await pool.connect();
    let failure: unknown = null;
    const noteFailure = (error: Error) => (failure = error);
    client.on("error", noteFailure);
    try {
      return await work(drizzle(client));
    } catch (error) {
      // The error thrown may only say that the rollback failed.
      failure ??= isDatabaseFailure(error) ? error : null;
      throw failure ?? error;
    } finally {
      client.off("error", noteFailure);
      client.release(failure !== null);
    }
  }

  /** Runs the work in its own transaction, which any error rolls back as a whole. */
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

export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === "23505";
