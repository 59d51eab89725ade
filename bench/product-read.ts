import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { newProducts, openAuctionHouse, openBrowser } from "./auction-house.ts";
import { HttpConnection, rpcRequest } from "./http-connection.ts";
import { type Figure, median } from "./measure.ts";

const connections = 32;
const rounds = 3;
/** Milliseconds that each kind of reading goes on in a round. */
const lasting = 3_000;
const bare = fileURLToPath(new URL("bare-server.ts", import.meta.url));

/** Answers a second to a request that 32 connections repeat. */
async function rate(url: string, path: string): Promise<number> {
  const request = `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`;
  const open = Array.from({ length: connections }, () => HttpConnection.open(url));
  const sockets = await Promise.all(open);
  let answers = 0;
  const began = performance.now();
  const one = async (socket: HttpConnection) => {
    while (performance.now() - began < lasting) {
      const { status } = await socket.send(request);
      if (status !== 200) throw new Error(`a read was answered with ${status}`);
      answers++;
    }
  };
  await Promise.all(sockets.map(one));
  for (const socket of sockets) socket.close();
  return answers / ((performance.now() - began) / 1000);
}

/** A bare node:http server that answers with the same body, in a process of its own. */
async function bareServer(body: string): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [bare, body], { stdio: ["ignore", "pipe", "inherit"] });
  const [port]: unknown[] = await once(child.stdout, "data");
  const stop = async () => {
    child.kill();
    await once(child, "exit");
  };
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop };
}

/** Reads of a hot product's public state a second, as a share of what bare node:http answers with the same body. */
export async function productRead(): Promise<Figure[]> {
  const { server, pool, stop } = await openAuctionHouse();
  const [id = ""] = await newProducts(pool, 1);
  const { connection, cookie } = await openBrowser(server);
  // A history as long as the page shows.
  for (let amount = 1; amount <= 20; amount++) {
    const input = { productId: id, amount: String(amount), idempotencyKey: randomUUID() };
    await connection.send(rpcRequest(server.url, "auctions.bid", cookie, input));
  }
  connection.close();
  const path = `/auctions/products/${id}`;
  const body = await (await fetch(`${server.url}${path}`)).text();
  const plain = await bareServer(body);
  const [ours, theirs]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < rounds; round++) {
      theirs.push(await rate(plain.url, "/"));
      ours.push(await rate(server.url, path));
    }
  } finally {
    await plain.stop();
    await stop();
  }
  const value = median(ours) / median(theirs);
  const detail = `${median(ours).toFixed(0)} reads/s, bare ${median(theirs).toFixed(0)}, ${body.length} bytes`;
  return [{ name: "product read ÷ bare http", value, limit: "at least 0.3", holds: value >= 0.3, detail }];
}
