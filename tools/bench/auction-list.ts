import { fillAuctions } from "./auction-data.ts";
import { getRequest, rpcRequest } from "./http-connection.ts";
import type { Figure } from "./measure.ts";
import { bareServer, rates } from "./rate.ts";
import { openServerFixture } from "./server-fixture.ts";

/** Measures first pages of /auctions a second, as a share of bare node:http and pg answering the same rows. */
export async function auctionList(): Promise<Figure[]> {
  const { server, address, stop } = await openServerFixture();
  await fillAuctions(address, 1_000);
  const bare = await bareServer(new URL("bare-list.ts", import.meta.url), JSON.stringify(address));
  try {
    const [ours, theirs] = await rates(
      { url: server.url, request: rpcRequest(server.url, "auctions.list", "", {}) },
      { url: bare.url, request: getRequest(bare.url, "/") },
    );
    const value = ours / theirs;
    const detail = `${ours.toFixed(0)} lists/s, bare node:http and pg ${theirs.toFixed(0)}`;
    return [{ name: "auctions.list ÷ bare pg", value, limit: "at least 0.6", holds: value >= 0.6, detail }];
  } finally {
    await bare.stop();
    await stop();
  }
}
