import { setTimeout } from "node:timers/promises";
import { type Database, DatabaseSockets, SteadyClient } from "./database.ts";
import type { Log } from "./log.ts";

/** Milliseconds between two checks. */
const checkInterval = 1_000;
/** Milliseconds after which a server that does not answer counts as silent. */
const defaultTimeout = 5_000;
/**
 * Number of timers that the timeout is split into. After a stall, a process runs timers that are due before it reads
 * its sockets: with a single timer, a stall of ours would count as silence of the server.
 */
const timers = 5;

/** `away` refuses connections. `silent` doesn't answer. `readOnly` answers, but is a standby or out of disk space. */
type State = "writable" | "readOnly" | "silent" | "away";

const messages: Record<Exclude<State, "writable">, string> = {
  readOnly: "PostgreSQL takes no writes",
  silent: "PostgreSQL does not answer",
  away: "PostgreSQL can't be connected to",
};

/**
 * Checks at intervals, on its own connection, whether PostgreSQL answers and takes writes. Queries to a silent server,
 * as when packets get lost, would wait for minutes. So all connections are closed then, and none is opened until it
 * answers again: callers soon get an error. They are also closed when the server becomes a standby and when it takes
 * writes again, since it may be another server. Meanwhile callers get 503 `unavailable`
 * (docs/adr/0030-outages-and-replicas.md).
 */
export function watchDatabase(
  { address, sockets }: Pick<Database, "address" | "sockets">,
  log: Log,
  giveUpAfter = defaultTimeout,
) {
  const stopping = new AbortController();
  const ownSockets = new DatabaseSockets();
  let client: SteadyClient | null = null;
  let state: State = "writable";

  async function connect(): Promise<SteadyClient> {
    client = new SteadyClient({ application_name: "wayfare-watch", ...address, stream: ownSockets.open });
    await client.connect();
    return client;
  }

  async function readState(): Promise<State> {
    const connection = client ?? (await connect());
    const { rows } = await connection.query<{ setting: string }>(
      "select current_setting('transaction_read_only') as setting",
    );
    return rows[0]?.setting === "off" ? "writable" : "readOnly";
  }

  /** Disconnects without waiting for the server. */
  function disconnect(): void {
    ownSockets.cut("PostgreSQL is being checked again");
    client = null;
  }

  async function giveUp(): Promise<State> {
    for (let timer = 0; timer < timers; timer++)
      await setTimeout(giveUpAfter / timers, undefined, { ref: false });
    return "silent";
  }

  const check = (): Promise<State> => Promise.race([readState().catch((): State => "away"), giveUp()]);

  function enter(next: State): void {
    if (next === state) return;
    if (next === "writable") log.info("PostgreSQL answers again and takes writes");
    else log.error(messages[next]);
    // Nobody should wait for a server that does not answer.
    if (next === "silent") sockets.refuse(messages.silent);
    else sockets.allow();
    if (next === "readOnly" || state === "readOnly") sockets.cut("PostgreSQL has failed over");
    state = next;
  }

  async function keepChecking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await check();
      if (stopping.signal.aborted) break;
      enter(next);
      if (next !== "writable") disconnect();
      await setTimeout(checkInterval, undefined, { signal: stopping.signal }).catch(() => {});
    }
    disconnect();
  }
  const checking = keepChecking();

  return {
    async stop(): Promise<void> {
      stopping.abort();
      disconnect();
      await checking;
    },
  };
}
