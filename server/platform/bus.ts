import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Database, Reader } from "./database.ts";
import {
  EventConnection,
  heartbeatInterval,
  notifyChannel,
  openNotifyLink,
  openRedisLink,
} from "./event-connection.ts";
import type { Log } from "./log.ts";

/** Milliseconds after which a PostgreSQL that does not answer counts as lost. */
const postgresGiveUp = 3000;
/** Milliseconds after which a Redis that does not answer counts as lost. PostgreSQL can replace it. */
const redisGiveUp = 2000;
/** Milliseconds for which one message marks a node as not connected to Redis. */
const absentFor = 2000;
/** The topic of "I'm not connected to Redis", with an id of the node. */
const absence = "redis-absence";

type Handler = (payload: string) => void;
/** Whether events of a topic may go over Redis, where other writers could forge them. */
type MessageOptions = { overRedis: boolean };
export type Bus = Awaited<ReturnType<typeof createBus>>;

/**
 * Carries small events between the nodes. An event says that something changed and is never the truth itself: it may be
 * missed while a connection is down, which `onGap` announces. PostgreSQL's LISTEN and NOTIFY carries all events. With
 * `eventsUrl` it carries those of transactions, and the others go over Redis as long as every node is connected to it
 * (docs/adr/0029-events-over-redis.md).
 */
export async function createBus(database: Database, log: Log, eventsUrl: string | null = null) {
  const handlers = new Map<string, Handler[]>();
  /** Topics that may travel over Redis. Events of other topics are ignored when they come from there. */
  const overRedis = new Set<string>();
  const gapHandlers: (() => void)[] = [];
  const self = randomUUID();
  /** Time until which some node counts as not connected to Redis. */
  let absentNodeUntil = 0;
  /** Time until which all nodes know that this one is not connected to Redis, and use NOTIFY. */
  let replacedUntil = 0;

  function subscribe(topic: string, handler: Handler, options: MessageOptions = { overRedis: false }) {
    handlers.set(topic, [...(handlers.get(topic) ?? []), handler]);
    if (options.overRedis) overRedis.add(topic);
  }

  const topicOf = (text: string): string => text.slice(0, Math.max(0, text.indexOf(" ")));

  function receive(text: string) {
    const topic = topicOf(text);
    try {
      for (const handle of handlers.get(topic) ?? []) handle(text.slice(topic.length + 1));
    } catch (error) {
      // Another writer to a shared Redis must not be able to crash a node.
      log.error({ err: error }, "an event could not be handled");
    }
  }

  function receiveFromRedis(text: string) {
    if (overRedis.has(topicOf(text))) receive(text);
  }

  function announceGap() {
    for (const handle of gapHandlers) handle();
  }

  async function notify(messages: readonly string[], tx: Reader = database.db) {
    const call = sql`pg_notify(${notifyChannel}, message) from unnest(${sql.param(messages)}::text[]) as message`;
    // Outside a transaction it need not wait for the disk, because an event is never the truth.
    const asyncCommit = sql`set_config('synchronous_commit', 'off', true), `;
    await tx.execute(tx === database.db ? sql`select ${asyncCommit}${call}` : sql`select ${call}`);
  }

  const postgres = new EventConnection({
    open: (ended) => openNotifyLink(database.address, log, { receive, ended, connectWithin: postgresGiveUp }),
    giveUpAfter: postgresGiveUp,
    onOpen() {
      // A node that has just begun to listen does not know yet which others are not connected.
      absentNodeUntil = performance.now() + absentFor;
      // Cached values may have changed while this node did not listen.
      announceGap();
    },
    onLost: announceGap,
  });
  await postgres.open();

  const redis = eventsUrl === null ? null : await connectRedis(eventsUrl);
  const absenceReports = redis && setInterval(() => void reportAbsence(), heartbeatInterval);

  async function connectRedis(url: string) {
    const channel = await channelOf(database);
    const logLoss = (error: unknown) =>
      log.warn({ err: error }, "events travel over PostgreSQL until Redis (EVENTS_URL) answers");
    const connection = new EventConnection({
      open: (ended) =>
        openRedisLink(url, channel, { receive: receiveFromRedis, ended, connectWithin: redisGiveUp }),
      giveUpAfter: redisGiveUp,
      onOpen() {
        log.info("events travel over Redis");
        if (performance.now() >= replacedUntil) announceGap();
      },
      onLost(error) {
        logLoss(error);
        void reportAbsence();
      },
    });
    subscribe(absence, onAbsence);
    await connection.open().catch((error: unknown) => {
      logLoss(error);
      connection.keepTrying();
    });
    return connection;
  }

  /** Makes all nodes use NOTIFY while this one is not connected to Redis. */
  async function reportAbsence() {
    if (redis?.link === null) await notify([`${absence} ${self}`]).catch(() => {});
  }

  function onAbsence(node: string) {
    const now = performance.now();
    absentNodeUntil = now + absentFor;
    if (node !== self || redis?.link) return;
    const isNew = now >= replacedUntil;
    replacedUntil = absentNodeUntil;
    // Events that were published since the connection broke are lost; from now on they arrive again.
    if (isNew) announceGap();
  }

  const usableRedis = () => (performance.now() < absentNodeUntil ? null : (redis?.link ?? null));

  /** Publishes messages over Redis. Returns false if Redis did not accept them. */
  async function publishOverRedis(messages: readonly string[]): Promise<boolean> {
    const link = usableRedis();
    if (link === null) return false;
    return await link.publish(messages).then(
      () => true,
      () => false,
    );
  }

  return {
    /**
     * Sends an event to every node, including this one. With `tx` it is sent if and when that transaction commits: for
     * rare changes whose event must not be lost. Without `tx` it is sent immediately: for the hot path, after its
     * commit.
     */
    async publish(topic: string, payloads: readonly string[], tx: Reader = database.db) {
      if (payloads.length === 0) return;
      const messages = payloads.map((payload) => `${topic} ${payload}`);
      if (tx === database.db && overRedis.has(topic) && (await publishOverRedis(messages))) return;
      await notify(messages, tx);
    },
    subscribe,
    /** Calls the handler when events may have been missed, so that it evicts its caches. */
    onGap(handler: () => void) {
      gapHandlers.push(handler);
    },
    /** Whether every event older than a second has certainly arrived here. */
    isTrusted: () =>
      postgres.isTrusted() && (redis === null || redis.isTrusted() || performance.now() < replacedUntil),
    /** Returns the current carrier of events without a transaction. */
    carrier: (): "postgres" | "redis" => (usableRedis() === null ? "postgres" : "redis"),
    async stop() {
      clearInterval(absenceReports ?? undefined);
      await redis?.stop();
      await postgres.stop();
    },
  };
}

/**
 * Returns the channel of the nodes on one database. Redis channels belong to no database, and one Redis may serve
 * several Wayfare databases.
 */
async function channelOf({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select system_identifier || ':' || oid as name from pg_control_system(), pg_database where datname = current_database()`,
  );
  return `wayfare:${rows[0]?.name ?? ""}`;
}
