import { constants, setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { HttpConnection } from "./http-connection.ts";
import { p99, time } from "./measure.ts";

/** Asks for the paths in turn, so many a second at even distances, for so many milliseconds. */
export type PageLoads = { url: string; paths: string[]; aSecond: number; lasting: number };
/** `p99` in milliseconds; `refused`: answers of another status than 200. */
export type LoadReport = { loads: number; refused: number; p99: number };

/** Sends the headers that a browser sends for a page. */
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

// Visitors have computers of their own: here they wait until the server has done its work.
setPriority(constants.priority.PRIORITY_LOW);

process.on("message", (order: PageLoads) => void load(order).then((loaded) => process.send?.(loaded)));
