import type { EventLink } from "./event-connection.ts";

export type RedisLink = EventLink & { publish(messages: readonly string[]): Promise<void> };

type Options = {
  /** redis:// or rediss:// */
  url: string;
  /** A server may have several databases of Wayfare's, and its channels know no databases of its own. */
  channel: string;
  receive(message: string): void;
  ended(error?: unknown): void;
  /** Milliseconds. */
  connectWithin: number;
};

/**
 * Listens and publishes over one connection to Redis or Valkey (RESP3, so from version 6 on), which answers only after
 * what it has sent before.
 */
export async function openRedisLink(options: Options): Promise<RedisLink> {
  const { url, channel, receive, ended, connectWithin } = options;
  // Loaded only where it is used.
  const { createClient } = await import("@redis/client");
  const client = createClient({ url, RESP: 3, name: "wayfare-events", socket: { reconnectStrategy: false } });
  client.on("error", ended);
  client.on("end", ended);
  // A server that hangs still accepts connections.
  const tooLate = setTimeout(() => client.destroy(), connectWithin);
  try {
    await client.connect();
    await client.subscribe(channel, receive);
  } catch (error) {
    client.destroy();
    throw error;
  } finally {
    clearTimeout(tooLate);
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
