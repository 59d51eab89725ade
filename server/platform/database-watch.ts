import { setTimeout } from "node:timers/promises";
import { type Database, DatabaseSockets, SteadyClient } from "./database.ts";
import type { Log } from "./log.ts";

/** Milliseconds between two checks. */
const checkInterval = 1_000;
/** Milliseconds after which a server that does not answer counts as silent. */
const defaultTimeout = 5_000;
/**
 * How many timers that time is split into. After a stall, a process runs a timer that is due before it reads what came
 * over a socket: with a single one, a stall of ours would count as silence of the server.
 */
const timers = 5;

/** `away` refuses connections, `silent` does not answer, `readOnly` does, and is a standby or has no room. */
type State = "writable" | "readOnly" | "silent" | "away";

const words: Record<Exclude<State, "writable">, string> = {
  readOnly: "PostgreSQL takes no writes",
  silent: "PostgreSQL does not answer",
  away: "PostgreSQL can't be connected to",
};

/**
 * Checks at intervals, on a connection of its own, whether PostgreSQL answers and takes writes. When it falls silent, as
 * when packets get lost, queries would wait for minutes: all connections are closed then, and none is opened until it
 * answers again, so that every caller gets an error soon. They are closed too when it has become a standby, and when it
 * takes writes again, which may be another server. Callers get 503 `unavailable` meanwhile
 * (docs/adr/0030-outages-and-replicas.md).
 */
export function watchDatabase(
  { address, sockets }: Pick<Database, "address" | "sockets">,
  log: Log,
  giveUpAfter = defaultTimeout,
) {
  const stopping = new AbortController();
  const own = new DatabaseSockets();
  let client: SteadyClient | null = null;
  let state: State = "writable";

  async function connect(): Promise<SteadyClient> {
    client = new SteadyClient({ application_name: "wayfare-watch", ...address, stream: own.open });
    await client.connect();
    return client;
  }

  async function readState(): Promise<State> {
    const on = client ?? (await connect());
    const { rows } = await on.query<{ setting: string }>(
      "select current_setting('transaction_read_only') as setting",
    );
    return rows[0]?.setting === "off" ? "writable" : "readOnly";
  }

  /** Disconnects without waiting for the server. */
  function disconnect(): void {
    own.cut("PostgreSQL is asked anew");
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
    else log.error(words[next]);
    // Nobody should wait for a server that does not answer.
    if (next === "silent") sockets.refuse(words.silent);
    else sockets.allow();
    if (next === "readOnly" || state === "readOnly") sockets.cut("PostgreSQL is another one");
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
