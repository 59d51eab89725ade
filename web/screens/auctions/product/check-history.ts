import type { KeptReceipt } from "#domain/bid-history.ts";
import { checkHistory } from "#domain/history-check.ts";
import { type Finding, findingsOf } from "#domain/history-findings.ts";
import { linesOf } from "#domain/history-lines.ts";
import { auctionKeysPath, historyPath } from "#protocol/addresses.ts";
import { browserCrypto } from "#protocol/web-crypto.ts";

/** Reads the public keys of receipts by their ids. */
function keysIn(answer: unknown): Map<string, string> {
  const { receipts }: { receipts?: unknown } = Object(answer);
  const keys = Array.isArray(receipts) ? receipts : [];
  return new Map(keys.map(({ id, publicKey }) => [String(id), String(publicKey)]));
}

async function get(path: string): Promise<Response> {
  const response = await fetch(path, { headers: { accept: "application/json, application/x-ndjson" } });
  if (!response.ok) throw new Error(`the history could not be read: ${response.status}`);
  return response;
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Reads a product's whole history and checks it in this browser, with receipts. */
export async function checkInBrowser(
  productId: string,
  receipts: readonly KeptReceipt[],
): Promise<Finding[]> {
  const keys = keysIn(await (await get(auctionKeysPath)).json());
  const { body } = await get(historyPath(productId));
  if (body === null) throw new Error("the history is empty");
  return findingsOf(await checkHistory(linesOf(chunksOf(body)), { receipts }, browserCrypto(keys)));
}
