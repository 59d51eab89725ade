import { sql } from "drizzle-orm";
import pg from "pg";
import type { Database, Reader } from "./database.ts";
import type { Log } from "./log.ts";

const channel = "wayfare";
/** Milliseconds between two proofs that events still arrive. */
const heartbeat = 400;
/** Milliseconds for which one proof lets a node believe what it has cached. */
const trustFor = 1000;
/** A connection whose heartbeat is unanswered for so many milliseconds is given up. */
const giveUpAfter = 3000;

type Handler = (payload: string) => void;
export type Bus = Awaited<ReturnType<typeof createBus>>;

/**
 * Carries small events between the nodes through PostgreSQL's LISTEN and NOTIFY. An event says that something
 * changed and is never the truth itself: it may be missed while the connection is down, which `onGap` announces.
 */
export async function createBus(database: Database, log: Log) {
  const handlers = new Map<string, Handler[]>();
  const gapHandlers: (() => void)[] = [];
  let client: pg.Client | null = null;
  let trustedUntil = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function receive(text: string | undefined) {
    const cut = text?.indexOf(" ") ?? -1;
    if (!text || cut < 1) return;
    for (const handle of handlers.get(text.slice(0, cut)) ?? []) handle(text.slice(cut + 1));
  }

  function announceGap() {
    for (const handle of gapHandlers) handle();
  }

  function lost() {
    if (client === null) return;
    client = null;
    trustedUntil = 0;
    clearTimeout(timer);
    announceGap();
    if (!stopped) timer = setTimeout(() => void reconnect(), heartbeat);
  }

  /** PostgreSQL sends pending events before it answers, so an answer proves that none before it is outstanding. */
  function beat(on: pg.Client) {
    const asked = performance.now();
    const giveUp = setTimeout(() => void on.end().catch(() => {}), giveUpAfter);
    on.query("select 1").then(
      () => {
        clearTimeout(giveUp);
        if (client !== on) return;
        trustedUntil = asked + trustFor;
        timer = setTimeout(beat, heartbeat, on);
      },
      () => clearTimeout(giveUp),
    );
  }

  async function connect() {
    const fresh = new pg.Client({
      application_name: "wayfare-events",
      ...database.address,
      keepAlive: true,
      connectionTimeoutMillis: giveUpAfter,
    });
    // An error is followed by `end`, which is the one place that reconnects.
    fresh.on("error", (error) => log.warn({ err: error }, "the event connection failed"));
    fresh.on("notification", (message) => receive(message.payload));
    await fresh.connect();
    fresh.once("end", lost);
    await fresh.query(`listen ${channel}`);
    client = fresh;
    beat(fresh);
  }

  async function reconnect() {
    try {
      await connect();
      // What was read while nobody listened may have changed since, unheard.
      announceGap();
    } catch {
      if (!stopped) timer = setTimeout(() => void reconnect(), heartbeat);
    }
  }

  await connect();

  return {
    /**
     * Sends an event to every node, this one too. With `tx` the event goes out if and when that transaction commits: for rare
     * changes whose news must not be lost; without, right away: for the hot path, after its commit.
     */
    async publish(topic: string, payloads: readonly string[], tx: Reader = database.db) {
      if (payloads.length === 0) return;
      const messages = sql.param(payloads.map((payload) => `${topic} ${payload}`));
      const notify = sql`pg_notify(${channel}, message) from unnest(${messages}::text[]) as message`;
      // On its own it is not worth waiting for the disk: an event is never the truth.
      const alone = sql`set_config('synchronous_commit', 'off', true), `;
      await tx.execute(tx === database.db ? sql`select ${alone}${notify}` : sql`select ${notify}`);
    },
    subscribe(topic: string, handler: Handler) {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handler]);
    },
    /** Events may have been missed: evict what was cached. */
    onGap(handler: () => void) {
      gapHandlers.push(handler);
    },
    /** Whether every event older than a second has certainly arrived here. */
    isTrusted: () => performance.now() < trustedUntil,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
