import pg from "pg";
import { type DatabaseAddress, SteadyClient } from "./database.ts";

/** Milliseconds until a broken connection is opened again. */
const reopenAfter = 500;

/**
 * Receives what is announced on a channel of PostgreSQL, on a connection of its own that is opened again as often as it
 * breaks; `onOpen` is called each time, since something may have been missed. Rejects when it can't be opened at all.
 */
export async function listen(
  address: DatabaseAddress,
  channel: string,
  onMessage: (payload: string) => void,
  onOpen: () => void,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function open(): Promise<void> {
    const fresh = new SteadyClient({ application_name: "wayfare-jobs-events", ...address, keepAlive: true });
    fresh.on("notification", ({ payload }) => onMessage(payload ?? ""));
    try {
      await fresh.connect();
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    fresh.once("end", reopen);
    client = fresh;
    onOpen();
    if (closed) await fresh.end();
  }

  function reopen(): void {
    if (!closed) timer = setTimeout(() => void open().catch(reopen), reopenAfter);
  }

  await open();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
