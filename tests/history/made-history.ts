import { createHash, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeptReceipt } from "#domain/bid-history.ts";
import { commitmentText, headText, rowText, termsText } from "#domain/bid-history.ts";
import type { Crypto } from "#domain/history-check.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
/** Checks with the one key that signs these histories. */
export const nodeCrypto: Crypto = {
  sha256: async (text) => sha256(text),
  verify: async (text, { signature }) =>
    verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64")),
};

export const productId = "00000000-0000-4000-8000-000000000001";
export const limit = 90_000;
export const salt = "ab".repeat(16);
const terms = {
  productId,
  sellerTag: "seller",
  startingBid: 15_000,
  plannedEnd: "2026-11-24T20:00:00.000Z",
  softClose: true,
  rules: 2,
};
export type Row = {
  number: number;
  at: string;
  tag: string;
  amount: number;
  kind: string;
  commitment: string | null;
  hash: string | null;
};
export const signed = (head: { number: number; hash: string }) => ({
  keyId: "key",
  signature: sign(null, Buffer.from(headText(productId, head)), privateKey).toString("base64"),
});

/** Returns a history of this many rows, as Wayfare answers it. */
export function history(count: number, change: (row: Row) => Row = (row) => row) {
  const firstHash = sha256(termsText({ ...terms, plannedEnd: new Date(terms.plannedEnd) }));
  let head = { number: 0, hash: firstHash };
  const rows = Array.from({ length: count }, (_, at): Row => {
    const row = change({
      number: at + 1,
      at: new Date(Date.UTC(2026, 10, 24, 12, 0, at)).toISOString(),
      tag: at % 2 === 0 ? "ada" : "bea",
      amount: 15_000 + at * 100,
      kind: at % 3 === 0 ? "auto" : "bid",
      commitment: at === 0 ? sha256(commitmentText(salt, limit)) : null,
      hash: null,
    });
    head = { number: row.number, hash: sha256(rowText(head.hash, { ...row, at: new Date(row.at) })) };
    return { ...row, hash: head.hash };
  });
  return { terms: { ...terms, chained: true, firstHash, head: { ...head, ...signed(head) } }, rows };
}
/** A history as Wayfare answers it. */
export type ShownHistory = { terms: object; rows: readonly object[] };
type SampleHistory = ReturnType<typeof history>;
export async function* linesOf({ terms: first, rows }: ShownHistory) {
  for (const line of [first, ...rows]) yield JSON.stringify(line);
}
export function receiptOf({ rows }: SampleHistory, number: number, last: number): KeptReceipt {
  const at = (each: number) => ({ number: each, hash: rows[each - 1]?.hash ?? "" });
  return {
    productId,
    ...at(number),
    head: at(last),
    ...signed(at(last)),
    salt: null,
    limit: null,
    moved: null,
  };
}

const alterations: ((row: Row) => Row)[] = [
  (row) => ({ ...row, amount: row.amount + 1 }),
  (row) => ({ ...row, amount: row.amount - 1 }),
  (row) => ({ ...row, tag: row.tag === "ada" ? "bea" : "ada" }),
  (row) => ({ ...row, kind: row.kind === "bid" ? "auto" : "bid" }),
  (row) => ({ ...row, at: new Date(Date.parse(row.at) + 1).toISOString() }),
  (row) => ({ ...row, at: row.at.replace("Z", "+00:00") }),
  (row) => ({ ...row, commitment: sha256("another limit") }),
  (row) => ({ ...row, hash: sha256("another row") }),
  (row) => ({ ...row, hash: null }),
  (row) => ({ ...row, number: row.number + 1 }),
];

/** Returns a history with one change, and the first row that shows it. */
export function mutate(
  { rows }: SampleHistory,
  random: (below: number) => number,
): { rows: Row[]; row: number } {
  const at = random(rows.length);
  const row = rows[at];
  if (!row) throw new Error("there is no row to change");
  switch (random(4)) {
    case 0: {
      const alter = alterations[random(alterations.length)] ?? ((same: Row) => same);
      return { rows: rows.with(at, alter(row)), row: at + 1 };
    }
    case 1:
      return { rows: rows.toSpliced(at, 1), row: Math.min(at + 1, rows.length - 1) };
    case 2: {
      const copy = { ...row, amount: row.amount, number: row.number + random(2) };
      return { rows: rows.toSpliced(at, 0, copy), row: copy.number === row.number ? at + 2 : at + 1 };
    }
    default: {
      const other = (at + 1 + random(rows.length - 1)) % rows.length;
      const otherRow = rows[other] ?? row;
      return { rows: rows.with(at, otherRow).with(other, row), row: Math.min(at, other) + 1 };
    }
  }
}

/** The answer of /auctions/keys that belongs to these histories. */
export const keysAnswer = {
  receipts: [
    {
      id: "key",
      publicKey: publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64"),
    },
  ],
  log: [],
};
