import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { HttpConnection } from "./http-connection.ts";
import { median } from "./measure.ts";

const connections = 32;
const rounds = 3;
/** Milliseconds of requests to each server in a round. */
const duration = 3_000;

/** Returns the answers a second to a request that 32 connections repeat. */
async function rate(url: string, request: string): Promise<number> {
  const open = Array.from({ length: connections }, () => HttpConnection.open(url));
  const sockets = await Promise.all(open);
  let answers = 0;
  const began = performance.now();
  const one = async (socket: HttpConnection) => {
    while (performance.now() - began < duration) {
      const { status } = await socket.send(request);
      if (status !== 200) throw new Error(`a read was answered with ${status}`);
      answers++;
    }
  };
  await Promise.all(sockets.map(one));
  for (const socket of sockets) socket.close();
  return answers / ((performance.now() - began) / 1000);
}

type Target = { url: string; request: string };

/** Returns the medians of the answers a second of two servers, measured in turn, so that a slow moment affects both. */
export async function rates(one: Target, other: Target): Promise<readonly [number, number]> {
  const [ones, others]: [number[], number[]] = [[], []];
  // A new server has not compiled its code or planned its statements yet.
  await rate(other.url, other.request);
  await rate(one.url, one.request);
  for (let round = 0; round < rounds; round++) {
    others.push(await rate(other.url, other.request));
    ones.push(await rate(one.url, one.request));
  }
  return [median(ones), median(others)];
}

/** Starts a bare node:http server of this folder in a separate process, which prints its port. */
export async function bareServer(
  file: URL,
  argument: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [fileURLToPath(file), argument], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port]: unknown[] = await once(child.stdout, "data");
  const stop = async () => {
    child.kill();
    await once(child, "exit");
  };
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop };
}
