import pg from "pg";
import type { DatabaseAddress } from "./database.ts";
import type { EventLink } from "./event-connection.ts";
import type { Log } from "./log.ts";

/** The channel of LISTEN and NOTIFY, one in each database. */
export const notifyChannel = "wayfare";

type Options = {
  address: DatabaseAddress;
  log: Log;
  receive(message: string): void;
  ended(): void;
  /** Milliseconds. */
  connectWithin: number;
};

/** Listens to PostgreSQL, which sends pending events before it answers a statement. */
export async function openNotifyLink(options: Options): Promise<EventLink> {
  const client = new pg.Client({
    application_name: "wayfare-events",
    ...options.address,
    keepAlive: true,
    connectionTimeoutMillis: options.connectWithin,
  });
  // An error is followed by `end`.
  client.on("error", (error) => options.log.warn({ err: error }, "the event connection failed"));
  client.on("notification", ({ payload = "" }) => options.receive(payload));
  await client.connect();
  client.once("end", options.ended);
  await client.query(`listen ${notifyChannel}`);
  return {
    ping: () => client.query("select 1"),
    end: () => client.end().catch(() => {}),
  };
}
