import { expect, test } from "vitest";
import { type KeptReceipt, receiptFile } from "#domain/bid-history.ts";
import { checkHistory } from "#domain/history-check.ts";
import { receiptsIn } from "#domain/history-lines.ts";
import {
  history,
  limit,
  linesOf,
  nodeCrypto,
  productId,
  receiptOf,
  type ShownHistory,
  salt,
  signed,
} from "./made-history.ts";

const check = (original: ShownHistory, receipts: readonly KeptReceipt[] = []) =>
  checkHistory(linesOf(original), { receipts }, nodeCrypto);

test("an unaltered history holds, with its receipts", async () => {
  const original = history(40);
  const receipts = [
    { ...receiptOf(original, 1, 2), salt, limit },
    receiptOf(original, 40, 40),
    receiptOf(original, 7, 12),
  ];
  expect(await check(original, receipts)).toEqual({
    kind: "holds",
    rows: 40,
    chained: 40,
    signed: true,
    receipts: receipts.map((receipt, at) => ({
      receipt,
      outcome: "holds",
      limit: at === 0 ? "kept" : null,
    })),
  });
  expect(await check(history(0))).toMatchObject({ kind: "holds", rows: 0 });
});

test("a history without hashes, or with hashes only up to a row, is reported as such", async () => {
  const unchained = { terms: { productId, chained: false }, rows: [{}, {}] };
  expect(await check(unchained)).toEqual({ kind: "unchained", rows: 2, receipts: [] });
  const original = history(3);
  const later = { ...original.rows[2], number: 4, hash: null };
  expect(await check({ ...original, rows: [...original.rows, later] })).toMatchObject({
    kind: "holds",
    rows: 4,
    chained: 3,
  });
});

test("altered terms, a head that is not the last row and a forged signature are found", async () => {
  const original = history(5);
  const withTerms = (changes: object) => check({ ...original, terms: { ...original.terms, ...changes } });
  expect(await withTerms({ startingBid: 10_000 })).toMatchObject({ row: 0, problem: "hash" });
  expect(await withTerms({ softClose: false })).toMatchObject({ row: 0, problem: "hash" });
  const earlier = { number: 4, hash: original.rows[3]?.hash ?? "" };
  expect(await withTerms({ head: { ...earlier, ...signed(earlier) } })).toMatchObject({ problem: "head" });
  const forged = { ...original.terms.head, signature: signed(earlier).signature };
  expect(await withTerms({ head: forged })).toMatchObject({ problem: "signature" });
});

test("a price that falls and a first bid that is too low are found, even if all hashes are correct", async () => {
  const falling = history(5, (row) => (row.number === 4 ? { ...row, amount: 15_000 } : row));
  expect(await check(falling)).toEqual({ kind: "broken", row: 4, problem: "price" });
  const low = history(5, (row) => (row.number === 1 ? { ...row, amount: 14_999 } : row));
  expect(await check(low)).toEqual({ kind: "broken", row: 1, problem: "price" });
});

/** Ada bids and is outbid by Bea and Cem, who each withdraw, and then bids again. */
const withWithdrawals: [tag: string, kind: string, amount: number][] = [
  ["ada", "bid", 15_000],
  ["bea", "bid", 20_000],
  ["cem", "auto", 40_000],
  ["cem", "voided", 20_000],
  ["ada", "auto", 21_000],
  ["bea", "withdrawn", 15_000],
  ["ada", "withdrawn", 0],
  ["ada", "bid", 15_000],
];
const historyOf = (rows: typeof withWithdrawals) =>
  history(rows.length, (row) => {
    const [tag = "", kind = "", amount = 0] = rows[row.number - 1] ?? [];
    return { ...row, tag, kind, amount, commitment: null };
  });

test("a history with withdrawn and voided bids holds", async () => {
  expect(await check(historyOf(withWithdrawals))).toMatchObject({ kind: "holds", chained: 8 });
  // Rows of a later version can't be judged.
  const later = withWithdrawals.with(6, ["ada", "paused", 7]);
  expect(await check(historyOf(later))).toMatchObject({ kind: "holds" });
});

test.each<[string, number, [tag: string, kind: string, amount: number]]>([
  ["raises the price by a withdrawal", 4, ["cem", "voided", 40_001]],
  ["lets the price fall below the starting bid by a withdrawal", 4, ["cem", "voided", 14_999]],
  ["has no price after a withdrawal, though others' bids stand", 4, ["cem", "voided", 0]],
  ["has a price after a withdrawal, though nobody's bid stands", 7, ["ada", "withdrawn", 15_000]],
  ["withdraws bids of somebody who never bid", 4, ["dan", "voided", 20_000]],
  ["withdraws the same bids twice", 6, ["cem", "withdrawn", 20_000]],
  ["takes a bid below the price that a withdrawal left", 5, ["ada", "auto", 19_999]],
  ["takes a first bid below the starting bid once all are withdrawn", 8, ["ada", "bid", 14_999]],
])("a history that %s is found, even if all hashes are correct", async (_, row, mistake) => {
  const mistaken = historyOf(withWithdrawals.with(row - 1, mistake));
  expect(await check(mistaken)).toEqual({ kind: "broken", row, problem: "price" });
});

test("a rewritten history with valid hashes and signatures contradicts every receipt after the change", async () => {
  const original = history(30);
  const anew = history(30, (row) => (row.number === 10 ? { ...row, tag: "friend" } : row));
  const receipts = [receiptOf(original, 5, 8), receiptOf(original, 10, 10), receiptOf(original, 9, 11)];
  const verdict = await check(anew, receipts);
  expect(verdict).toMatchObject({
    kind: "holds",
    receipts: [{ outcome: "holds" }, { outcome: "contradicted" }, { outcome: "contradicted" }],
  });
  const unchained = { terms: { productId, chained: false }, rows: original.rows };
  expect(await check(unchained, [receiptOf(original, 5, 8)])).toMatchObject({
    receipts: [{ outcome: "contradicted" }],
  });
  const shorter = await check(history(20), [receiptOf(original, 25, 30)]);
  expect(shorter).toMatchObject({ receipts: [{ outcome: "contradicted" }] });
});

test("a receipt that Wayfare didn't sign, or for another item, proves nothing", async () => {
  const original = history(5);
  const receipt = receiptOf(original, 2, 3);
  const outcomes = await check(original, [
    { ...receipt, head: { number: 4, hash: original.rows[3]?.hash ?? "" } },
    { ...receipt, productId: "another" },
  ]);
  expect(outcomes).toMatchObject({ receipts: [{ outcome: "unsigned" }, { outcome: "otherProduct" }] });
});

test("a limit that no row commits to, and automatic bids beyond a limit, are found", async () => {
  const own = (original: ReturnType<typeof history>, changes: object) => [
    { ...receiptOf(original, 1, 2), salt, limit, ...changes },
  ];
  const original = history(30);
  expect(await check(original, own(original, { limit: limit + 1 }))).toMatchObject({
    receipts: [{ limit: "notCommitted" }],
  });
  const greedy = history(30, (row) => (row.number === 7 ? { ...row, amount: limit + 100 } : row));
  const after = { ...greedy, rows: greedy.rows.slice(0, 7) };
  const head = { number: 7, hash: greedy.rows[6]?.hash ?? "" };
  const shortened = { ...after, terms: { ...after.terms, head: { ...head, ...signed(head) } } };
  expect(await check(shortened, own(greedy, {}))).toMatchObject({ receipts: [{ limit: "exceeded" }] });
});

test("a truncated or rewritten history that contradicts a day's log is found", async () => {
  const original = history(30);
  const logged = { number: 20, hash: original.rows[19]?.hash ?? "" };
  const against = (other: ShownHistory) => checkHistory(linesOf(other), { receipts: [], logged }, nodeCrypto);
  expect(await against(original)).toMatchObject({ kind: "holds" });
  const anew = history(30, (row) => (row.number === 20 ? { ...row, tag: "friend" } : row));
  expect(await against(anew)).toEqual({ kind: "broken", row: 20, problem: "log" });
  expect(await against(history(19))).toEqual({ kind: "broken", row: 19, problem: "log" });
});

test("receipts are read from their file, and other files are rejected", () => {
  const moved = {
    tag: "ada",
    at: new Date("2026-11-24T12:00:00.000Z"),
    commitment: "c".repeat(64),
    signature: "A".repeat(86) + "==",
  };
  const receipt = { ...receiptOf(history(3), 2, 3), salt, limit, moved };
  expect(receiptsIn(receiptFile([receipt, receipt]))).toEqual([receipt, receipt]);
  const { moved: _, ...earlier } = receipt;
  expect(receiptsIn(JSON.stringify({ receipts: [earlier] }))).toEqual([{ ...earlier, moved: null }]);
  expect(receiptsIn(receiptFile([{ ...receipt, salt: null }]))).toMatchObject([{ limit: null }]);
  for (const wrong of [
    "",
    "no",
    "[]",
    "{}",
    receiptFile([{ ...receipt, hash: "x" }]),
    receiptFile([receipt]).replace("12:00:00.000Z", "noon"),
    '{"receipts":[null]}',
  ])
    expect(receiptsIn(wrong)).toEqual([]);
});
