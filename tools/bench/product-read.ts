import { randomUUID } from "node:crypto";
import { centsPerRand } from "#domain/money.ts";
import { getRequest, rpcRequest } from "./http-connection.ts";
import type { Figure } from "./measure.ts";
import { bareServer, rates } from "./rate.ts";
import { newProducts, openBrowser, openServerFixture } from "./server-fixture.ts";

/** Measures reads of a hot product's public state a second, as a share of bare node:http with the same body. */
export async function productRead(): Promise<Figure[]> {
  const { server, pool, stop } = await openServerFixture();
  const [id = ""] = await newProducts(pool, 1);
  const { connection, cookie } = await openBrowser(server);
  // A history as long as the page shows.
  for (let amount = 1; amount <= 20; amount++) {
    const input = { productId: id, amount: amount * centsPerRand, idempotencyKey: randomUUID() };
    await connection.send(rpcRequest(server.url, "auctions.bid", cookie, input));
  }
  connection.close();
  const path = `/auctions/products/${id}`;
  const body = await (await fetch(`${server.url}${path}`)).text();
  const bare = await bareServer(new URL("bare-server.ts", import.meta.url), body);
  try {
    const [ours, theirs] = await rates(
      { url: server.url, request: getRequest(server.url, path) },
      { url: bare.url, request: getRequest(bare.url, "/") },
    );
    const value = ours / theirs;
    const detail = `${ours.toFixed(0)} reads/s, bare ${theirs.toFixed(0)}, ${body.length} bytes`;
    return [{ name: "product read ÷ bare http", value, limit: "at least 0.3", holds: value >= 0.3, detail }];
  } finally {
    await bare.stop();
    await stop();
  }
}
