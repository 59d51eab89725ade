import type { HistoryVerdict, LimitOutcome, Problem, ReceiptOutcome } from "./history-check.ts";

/** A result of a check in words. */
export type Finding = { holds: boolean; text: string };

const problems: Record<Problem, string> = {
  unreadable: "it is not of the documented form",
  hash: "its hash does not fit what it says and what stands before it",
  number: "a row is missing, twice, or in another place",
  time: "it is older than the one before",
  price: "its amount can't follow what stands before it",
  head: "it is not the last row that this site has signed",
  signature: "this site's signature under it is wrong",
  log: "the log of a day has another one",
};

const outcomes: Record<ReceiptOutcome, Finding> = {
  holds: { holds: true, text: "is in this history, unbroken" },
  unchecked: { holds: true, text: "fits this history; its signature could not be checked here" },
  contradicted: { holds: false, text: "was signed by this site for another history than this one" },
  unsigned: { holds: false, text: "was not signed by this site" },
  otherProduct: { holds: false, text: "is of another item" },
};

const limits: Record<LimitOutcome, Finding> = {
  kept: { holds: true, text: "and no automatic bid went beyond its limit" },
  notCommitted: { holds: false, text: "but its limit is not the one that was committed to" },
  exceeded: {
    holds: false,
    text: "but automatic bids went beyond its limit, which is right only if it was raised after it",
  },
};

const rowsText = (rows: number): string => (rows === 1 ? "1 row" : `${rows} rows`);

/** Explains the result of a history's check in plain words. */
export function findingsOf(verdict: HistoryVerdict): Finding[] {
  if (verdict.kind === "broken") {
    const where = verdict.row === 0 ? "The first line, with the terms," : `Row ${verdict.row}`;
    return [{ holds: false, text: `${where} is wrong: ${problems[verdict.problem]}.` }];
  }
  const receipts = verdict.receipts.map(({ receipt, outcome, limit }): Finding => {
    const parts = [outcomes[outcome], ...(limit === null ? [] : [limits[limit]])];
    return {
      holds: parts.every(({ holds }) => holds),
      text: `The receipt of ${receipt.moved ? "the limit moved after row" : "row"} ${receipt.number} ${parts.map(({ text }) => text).join(", ")}.`,
    };
  });
  return [...rowFindings(verdict), ...receipts];
}

function rowFindings(verdict: Exclude<HistoryVerdict, { kind: "broken" }>): Finding[] {
  const { rows } = verdict;
  if (verdict.kind === "unchained")
    return [
      { holds: true, text: "This item is from before histories had hashes, so there is nothing to check." },
    ];
  const { chained, signed } = verdict;
  const signature = signed
    ? "and this site has signed the last one"
    : "but the signature under the last one could not be checked here";
  const finding: Finding = {
    holds: true,
    text:
      chained === 0
        ? `The terms hold, ${signature.replace("the last one", "them")}.`
        : `${chained === 1 ? "1 row holds" : `All ${chained} rows hold, none is missing`}, ${signature}.`,
  };
  const after = rows - chained;
  if (after === 0) return [finding];
  return [
    finding,
    { holds: true, text: `The last ${rowsText(after)} of this history can't be checked, having no hash.` },
  ];
}
