import { Writable } from "node:stream";
import type pg from "pg";

/**
 * Sends the statements that `ask` begins as one packet, on a connection of `database.pipelines`: PostgreSQL is woken
 * once for all of them. The driver has no such call; without its stream each goes out by itself.
 */
export function corked<Result>(client: pg.PoolClient, ask: () => Result): Result {
  const stream: unknown = Reflect.get(Object(Reflect.get(client, "connection")), "stream");
  if (!(stream instanceof Writable)) return ask();
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}
