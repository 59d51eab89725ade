import { constants, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { HttpConnection } from "./http-connection.ts";
import { p99, time } from "./measure.ts";

/** Requests the paths in turn, `aSecond` times a second at even intervals, for `lasting` milliseconds. */
export type PageLoads = { url: string; paths: string[]; aSecond: number; lasting: number };
/** `p99` is in milliseconds; `refused` counts answers with another status than 200. */
export type LoadReport = { loads: number; refused: number; p99: number };

/** Returns a request with the headers that a browser sends for a page. */
const pageRequest = (url: string, path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\naccept: text/html\r\naccept-encoding: gzip, br\r\n\r\n`;

async function load({ url, paths, aSecond, lasting }: PageLoads): Promise<LoadReport> {
  const idle: HttpConnection[] = [];
  const times: number[] = [];
  let refused = 0;
  const one = async (path: string) => {
    const connection = idle.pop() ?? (await HttpConnection.open(url));
    const took = await time(async () => {
      const { status } = await connection.send(pageRequest(url, path));
      if (status !== 200) refused++;
    });
    times.push(took);
    idle.push(connection);
  };
  const loads: Promise<void>[] = [];
  const began = performance.now();
  for (let at = 0; at < (lasting / 1000) * aSecond; at++) {
    await setTimeout(Math.max(0, began + (at * 1000) / aSecond - performance.now()));
    loads.push(one(paths[at % paths.length] ?? "/"));
  }
  await Promise.all(loads);
  for (const connection of idle) connection.close();
  return { loads: times.length, refused, p99: p99(times) };
}

// Visitors have their own computers: here they wait until the server has done its work.
setPriority(constants.priority.PRIORITY_LOW);

process.on("message", (order: PageLoads) => void load(order).then((loaded) => process.send?.(loaded)));
