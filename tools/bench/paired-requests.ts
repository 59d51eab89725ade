import { HttpConnection } from "./http-connection.ts";
import { pair } from "./measure.ts";

/** Requests that are sent to a server one after the other. */
export type Series = { url: string; requests: string[] };
export type SeriesPair = { one: Series; other: Series };

/**
 * Sends two series of the same length in turn and returns the medians of their times, in milliseconds. It runs in a
 * separate process, because the one that started the servers also reads their output.
 */
async function measure({ one, other }: SeriesPair): Promise<readonly [number, number]> {
  const [toOne, toOther] = [await HttpConnection.open(one.url), await HttpConnection.open(other.url)];
  async function send(connection: HttpConnection, request = ""): Promise<void> {
    const { status } = await connection.send(request);
    if (status !== 200) throw new Error(`answered with ${status}`);
  }
  const medians = await pair(
    one.requests.length,
    (at) => send(toOne, one.requests[at]),
    (at) => send(toOther, other.requests[at]),
  );
  toOne.close();
  toOther.close();
  return medians;
}

process.on("message", (order: SeriesPair) => void measure(order).then((medians) => process.send?.(medians)));
