import pg from "pg";
import type { DatabaseAddress } from "./database.ts";
import type { Log } from "./log.ts";

/** Milliseconds between two heartbeats. */
export const heartbeatInterval = 400;
/** Milliseconds for which a heartbeat lets a node trust its caches. */
const trustFor = 1000;

/** An open connection that delivers events in the order in which they were sent. */
type EventLink = {
  /** Resolves once every event that was sent before has been delivered. */
  ping(): Promise<unknown>;
  /** Closes the connection immediately, even if the other side no longer answers. */
  end(): Promise<void>;
};

type Options<Link> = {
  /** Opens a connection, and calls `ended` when it ends for any reason. */
  open(ended: (error?: unknown) => void): Promise<Link>;
  /** Milliseconds after which a heartbeat counts as missed, and the connection as lost. */
  giveUpAfter: number;
  onOpen(): void;
  onLost(error?: unknown): void;
};

/** Keeps a connection for events open: checks it by heartbeats, and reconnects when it is lost. */
export class EventConnection<Link extends EventLink> {
  readonly #options: Options<Link>;
  #link: Link | null = null;
  #trustedUntil = 0;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options<Link>) {
    this.#options = options;
  }

  get link(): Link | null {
    return this.#link;
  }

  /** Whether every event older than a second has certainly arrived. */
  isTrusted(): boolean {
    return performance.now() < this.#trustedUntil;
  }

  /** Rejects if it can't be opened. */
  async open(): Promise<void> {
    const opened: { link?: Link } = {};
    const link = await this.#options.open((error) => this.#lost(opened.link, error));
    opened.link = link;
    if (this.#stopped) return await link.end();
    this.#link = link;
    this.#options.onOpen();
    this.#beat(link);
  }

  /** Tries to reconnect until it succeeds. */
  keepTrying(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.open().catch(() => this.keepTrying()), heartbeatInterval);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#link?.end();
  }

  #lost(link: Link | undefined, error: unknown): void {
    if (link === undefined || this.#link !== link) return;
    this.#link = null;
    this.#trustedUntil = 0;
    clearTimeout(this.#timer);
    this.#options.onLost(error);
    this.keepTrying();
  }

  #beat(link: Link): void {
    const sentAt = performance.now();
    const giveUp = setTimeout(() => void link.end(), this.#options.giveUpAfter);
    link.ping().then(
      () => {
        clearTimeout(giveUp);
        if (this.#link !== link) return;
        this.#trustedUntil = sentAt + trustFor;
        this.#timer = setTimeout(() => this.#beat(link), heartbeatInterval);
      },
      () => clearTimeout(giveUp),
    );
  }
}

/** The channel of LISTEN and NOTIFY, one in each database. */
export const notifyChannel = "wayfare";

type Listener = {
  receive(message: string): void;
  ended(error?: unknown): void;
  /** Milliseconds. */
  connectWithin: number;
};

/** Listens to PostgreSQL, which sends pending events before it answers a statement. */
export async function openNotifyLink(
  address: DatabaseAddress,
  log: Log,
  { receive, ended, connectWithin }: Listener,
): Promise<EventLink> {
  const client = new pg.Client({
    application_name: "wayfare-events",
    ...address,
    keepAlive: true,
    connectionTimeoutMillis: connectWithin,
  });
  // An error is followed by `end`.
  client.on("error", (error) => log.warn({ err: error }, "the event connection failed"));
  client.on("notification", ({ payload = "" }) => receive(payload));
  await client.connect();
  client.once("end", () => ended());
  await client.query(`listen ${notifyChannel}`);
  return {
    ping: () => client.query("select 1"),
    end: () => client.end().catch(() => {}),
  };
}

type RedisLink = EventLink & { publish(messages: readonly string[]): Promise<void> };

/**
 * Listens and publishes over one connection to Redis or Valkey (RESP3, so version 6 or later), which answers only after
 * the events that it has sent before. `url`: redis:// or rediss://
 */
export async function openRedisLink(
  url: string,
  channel: string,
  { receive, ended, connectWithin }: Listener,
): Promise<RedisLink> {
  // Loaded only where it is used.
  const { createClient } = await import("@redis/client");
  const client = createClient({ url, RESP: 3, name: "wayfare-events", socket: { reconnectStrategy: false } });
  client.on("error", ended);
  client.on("end", ended);
  // A server that hangs still accepts connections.
  const timeout = setTimeout(() => client.destroy(), connectWithin);
  try {
    await client.connect();
    await client.subscribe(channel, receive);
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
  return {
    ping: () => client.ping(),
    async publish(messages) {
      await Promise.all(messages.map((message) => client.publish(channel, message)));
    },
    async end() {
      client.destroy();
    },
  };
}
