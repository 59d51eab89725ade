import { setTimeout } from "node:timers/promises";
import { type Database, SteadyClient } from "./database.ts";
import { DatabaseSockets } from "./database-sockets.ts";
import type { Log } from "./log.ts";

/** Milliseconds between two questions. */
const askEvery = 1_000;
/** Milliseconds after which a server that does not answer is taken for gone. */
const longestAnswer = 5_000;

/** `away` refuses connections, `silent` does not answer, `readOnly` does, and is a standby or has no room. */
type State = "writable" | "readOnly" | "silent" | "away";

const words: Record<Exclude<State, "writable">, string> = {
  readOnly: "PostgreSQL takes no writes",
  silent: "PostgreSQL does not answer",
  away: "PostgreSQL can't be connected to",
};

/**
 * Asks PostgreSQL again and again whether it answers and takes writes, on a connection of its own. When it falls
 * silent, as when packets get lost or its machine is gone, nothing tells that to who waits for an answer: all
 * connections are cut then, and none is opened until it answers, so that everybody is told soon. They are cut too when
 * it has become a standby, and when it takes writes again, which may be another server.
 */
export function watchDatabase(
  { address, sockets }: Pick<Database, "address" | "sockets">,
  log: Log,
  giveUpAfter = longestAnswer,
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

  async function ask(): Promise<State> {
    const on = client ?? (await connect());
    const { rows } = await on.query<{ setting: string }>(
      "select current_setting('transaction_read_only') as setting",
    );
    return rows[0]?.setting === "off" ? "writable" : "readOnly";
  }

  /** Does not wait for a farewell that may never come. */
  function leave(): void {
    own.cut("PostgreSQL is asked anew");
    client = null;
  }

  async function look(): Promise<State> {
    const waited = new AbortController();
    const tooLong = setTimeout(giveUpAfter, "silent" as const, { ref: false, signal: waited.signal });
    try {
      return await Promise.race([ask().catch((): State => "away"), tooLong]);
    } finally {
      waited.abort();
    }
  }

  function enter(next: State): void {
    if (next === state) return;
    if (next === "writable") log.info("PostgreSQL answers again and takes writes");
    else log.error(words[next]);
    // Nobody is to wait for what does not answer; and what does may be another server than before.
    if (next === "silent") sockets.refuse(words.silent);
    else sockets.allow();
    if (next === "readOnly" || state === "readOnly") sockets.cut("PostgreSQL is another one");
    state = next;
  }

  async function keepAsking(): Promise<void> {
    while (!stopping.signal.aborted) {
      const next = await look();
      if (stopping.signal.aborted) break;
      enter(next);
      if (next !== "writable") leave();
      await setTimeout(askEvery, undefined, { signal: stopping.signal }).catch(() => {});
    }
    leave();
  }
  const asking = keepAsking();

  return {
    async stop(): Promise<void> {
      stopping.abort();
      leave();
      await asking;
    },
  };
}
