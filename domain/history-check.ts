import {
  commitmentText,
  type Head,
  type HeadSignature,
  headText,
  type KeptReceipt,
  movedLimitText,
  rowText,
} from "./bid-history.ts";
import { type Row, rowIn, type Terms, termsIn, type UnchainedTerms } from "./history-lines.ts";
import { HistoryPrices } from "./history-prices.ts";

/**
 * The cryptography that the check of a product's history needs (docs/auctions.md, "Open books"). The browser and
 * `npm run verify` share the check, and each provides its own.
 */
export type Crypto = {
  /** Resolves to the SHA-256 hash of a text in UTF-8, in hexadecimal. */
  sha256(text: string): Promise<string>;
  /** Resolves to whether that key of Wayfare made the signature, or to null if this can't be checked. */
  verify(text: string, signature: HeadSignature): Promise<boolean | null>;
};

/** Reasons why a history is broken. `row` counts the rows from 1; 0 is the first line, which has the terms. */
export type Problem =
  /** The line is not of the documented form. */
  | "unreadable"
  | "hash"
  /** A row is missing, duplicated or misplaced. */
  | "number"
  /** A row is older than the one before. */
  | "time"
  /** An amount can't follow the earlier rows: the price fell without a withdrawal, or rose with one. */
  | "price"
  /** The last row is not the one that Wayfare has signed. */
  | "head"
  /** Wayfare's signature of the last row is invalid. */
  | "signature"
  /** The row differs from the one in a day's log. */
  | "log";

/**
 * Outcomes of a receipt. `unsigned`: Wayfare has not signed it. `contradicted`: Wayfare has signed another history than
 * it shows now. `unchecked`: the signature can't be checked here, and everything else is valid.
 */
export type ReceiptOutcome = "otherProduct" | "unsigned" | "contradicted" | "unchecked" | "holds";
/**
 * Outcomes of a receipt's limit. `notCommitted`: it is not the one that the row commits to. `exceeded`: automatic bids
 * went beyond it, and no receipt shows that its owner had raised it.
 */
export type LimitOutcome = "kept" | "notCommitted" | "exceeded";
type ReceiptVerdict = {
  receipt: KeptReceipt;
  outcome: ReceiptOutcome;
  limit: LimitOutcome | null;
};

/**
 * The result of a check. `chained`: number of rows with hashes; rows after them were written by a version without
 * hashes. `signed`: whether Wayfare's signature could be checked. Receipts are checked only if the history itself
 * holds. `unchained`: the item is older than the hashes.
 */
export type HistoryVerdict =
  | { kind: "broken"; row: number; problem: Problem }
  | { kind: "holds"; rows: number; chained: number; signed: boolean; receipts: ReceiptVerdict[] }
  | { kind: "unchained"; rows: number; receipts: ReceiptVerdict[] };

/**
 * Checks a history, which is read line by line, against receipts and the head in a day's log. Stops at the first
 * invalid row.
 */
export async function checkHistory(
  lines: AsyncIterable<string>,
  { receipts, logged = null }: { receipts: readonly KeptReceipt[]; logged?: Head | null },
  crypto: Crypto,
): Promise<HistoryVerdict> {
  const check = new HistoryCheck(receipts, logged, crypto);
  for await (const line of lines) {
    const problem = await check.add(line);
    if (problem) return { kind: "broken", row: check.rows, problem };
  }
  return await check.finish();
}

class HistoryCheck {
  readonly #receipts: readonly KeptReceipt[];
  readonly #logged: Head | null;
  readonly #crypto: Crypto;
  #terms: Terms | UnchainedTerms | null = null;
  #before: Row | null = null;
  #prices: HistoryPrices | null = null;
  #head = "";
  #chained = 0;
  rows = 0;
  /** The rows that receipts name. */
  readonly #named = new Map<number, Row>();
  readonly #numbers: ReadonlySet<number>;
  readonly #exceeded = new Set<KeptReceipt>();

  constructor(receipts: readonly KeptReceipt[], logged: Head | null, crypto: Crypto) {
    this.#receipts = receipts;
    this.#logged = logged;
    this.#crypto = crypto;
    this.#numbers = new Set(receipts.flatMap(({ number, head }) => [number, head.number]));
  }

  async add(line: string): Promise<Problem | null> {
    if (this.#terms === null) return await this.#addTerms(line);
    this.rows++;
    return this.#terms.chained ? await this.#addRow(this.#terms, line) : null;
  }

  async #addTerms(line: string): Promise<Problem | null> {
    const terms = termsIn(line);
    if (terms === null) return "unreadable";
    this.#terms = terms;
    if (!terms.chained) return null;
    this.#prices = new HistoryPrices(terms.startingBid);
    this.#head = await this.#crypto.sha256(terms.text);
    return this.#head === terms.firstHash ? this.#compareLogged(0) : "hash";
  }

  async #addRow(terms: Terms, line: string): Promise<Problem | null> {
    const row = rowIn(line);
    if (row === null) return "unreadable";
    if (row.number !== this.rows) return "number";
    if (this.#before && row.at < this.#before.at) return "time";
    if (!this.#prices?.add(row)) return "price";
    this.#before = row;
    // Wayfare signs the last row that has a hash, so no row before it can lack one.
    if (row.hash === null && row.number > terms.head.number) return null;
    this.#head = await this.#crypto.sha256(rowText(this.#head, row));
    if (row.hash !== this.#head) return "hash";
    const problem = this.#compareLogged(row.number);
    if (problem) return problem;
    this.#chained = row.number;
    if (this.#numbers.has(row.number)) this.#named.set(row.number, row);
    for (const receipt of this.#receipts)
      if (exceeds(row, receipt, this.#named.get(receipt.number)) && !this.#isRaised(receipt, row))
        this.#exceeded.add(receipt);
    return null;
  }

  /** Whether another receipt that is not older has a limit that allows a row. Two may have the same time. */
  #isRaised(receipt: KeptReceipt, { number, amount }: Row): boolean {
    const from = this.#timeOf(receipt);
    return this.#receipts.some(
      (other) =>
        this.#timeOf(other) >= from &&
        other.number <= number &&
        other.limit !== null &&
        other.limit >= amount,
    );
  }

  #timeOf({ moved, number }: KeptReceipt): number {
    return (moved ?? this.#named.get(number))?.at.getTime() ?? 0;
  }

  #compareLogged(number: number): "log" | null {
    const logged = this.#logged;
    return logged === null || logged.number !== number || logged.hash === this.#head ? null : "log";
  }

  async finish(): Promise<HistoryVerdict> {
    const [terms, rows] = [this.#terms, this.rows];
    if (terms === null) return { kind: "broken", row: 0, problem: "unreadable" };
    if (this.#logged && this.#logged.number > this.#chained)
      return { kind: "broken", row: rows, problem: "log" };
    if (!terms.chained) return { kind: "unchained", rows, receipts: await this.#judgeAll(terms) };
    const { head, productId } = terms;
    if (head.number !== this.#chained || head.hash !== this.#head)
      return { kind: "broken", row: rows, problem: "head" };
    const isSigned = await this.#crypto.verify(headText(productId, head), head);
    if (isSigned === false) return { kind: "broken", row: rows, problem: "signature" };
    const receipts = await this.#judgeAll(terms);
    return { kind: "holds", rows, chained: this.#chained, signed: isSigned === true, receipts };
  }

  async #judgeAll(terms: Terms | UnchainedTerms): Promise<ReceiptVerdict[]> {
    const verdicts: ReceiptVerdict[] = [];
    for (const receipt of this.#receipts) {
      const [outcome, limit] = [await this.#judge(terms, receipt), await this.#judgeLimit(receipt)];
      verdicts.push({ receipt, outcome, limit });
    }
    return verdicts;
  }

  async #judge(terms: Terms | UnchainedTerms, receipt: KeptReceipt): Promise<ReceiptOutcome> {
    const { productId } = terms;
    if (receipt.productId !== productId) return "otherProduct";
    const isSigned = await this.#crypto.verify(headText(productId, receipt.head), receipt);
    if (isSigned === false || !(await this.#isMoveSigned(receipt))) return "unsigned";
    const firstHash = terms.chained ? terms.firstHash : null;
    const hashOf = (number: number) => (number === 0 ? firstHash : this.#named.get(number)?.hash);
    const isSame = [receipt, receipt.head].every(({ number, hash }) => hashOf(number) === hash);
    if (!isSame || receipt.number > receipt.head.number) return "contradicted";
    return isSigned === null ? "unchecked" : "holds";
  }

  async #isMoveSigned(receipt: KeptReceipt): Promise<boolean> {
    const { moved, keyId } = receipt;
    if (moved === null) return true;
    const { signature } = moved;
    return (await this.#crypto.verify(movedLimitText(receipt, moved), { keyId, signature })) !== false;
  }

  async #judgeLimit(receipt: KeptReceipt): Promise<LimitOutcome | null> {
    const { salt, limit, number, moved } = receipt;
    if (salt === null || limit === null) return null;
    const commitment = await this.#crypto.sha256(commitmentText(salt, limit));
    const committed = moved ? moved.commitment : this.#named.get(number)?.commitment;
    if (committed !== commitment) return "notCommitted";
    return this.#exceeded.has(receipt) ? "exceeded" : "kept";
  }
}

/**
 * Whether a row is an automatic bid beyond a receipt's limit. `own` is the receipt's row. A row with a commitment has
 * its own limit, and a row from before a limit was moved has the former one.
 */
const exceeds = (row: Row, { limit, moved, number }: KeptReceipt, own: Row | undefined): boolean =>
  limit !== null &&
  row.kind === "auto" &&
  row.tag === (moved ?? own)?.tag &&
  row.amount > limit &&
  (moved ? row.number > number && row.commitment === null : row === own || row.commitment === null);
