import { expect, test } from "vitest";
import { type Crypto, checkHistory } from "#domain/history-check.ts";
import { belowFrom } from "#domain/seeded-random.ts";
import { browserCrypto } from "#protocol/web-crypto.ts";
import { cryptoOf } from "#scripts/verify-auction.ts";

import { history, keysAnswer, linesOf, mutate, receiptOf } from "./made-history.ts";

const verifiers: Record<string, Crypto> = {
  "npm run verify": cryptoOf(keysAnswer),
  "the browser": browserCrypto(new Map(keysAnswer.receipts.map(({ id, publicKey }) => [id, publicKey]))),
};

test.each(Object.entries(verifiers))(
  "%s finds 1,000 of 1,000 altered, dropped, inserted and reordered rows, each at its row",
  async (_, crypto) => {
    const original = history(50);
    const below = belowFrom(27);
    for (let count = 0; count < 1_000; count++) {
      const { rows, row } = mutate(original, below);
      const verdict = await checkHistory(linesOf({ ...original, rows }), { receipts: [] }, crypto);
      expect(verdict, `mutation ${count}`).toMatchObject({ kind: "broken", row });
    }
    const receipts = [
      receiptOf(original, 7, 9),
      { ...receiptOf(original, 7, 9), signature: "A".repeat(86) + "==" },
    ];
    expect(await checkHistory(linesOf(original), { receipts }, crypto)).toMatchObject({
      kind: "holds",
      signed: true,
      receipts: [{ outcome: "holds" }, { outcome: "unsigned" }],
    });
  },
);
