/** Money is integer cents of South African rand everywhere inside. */
export type Cents = number;

export const oneRand: Cents = 100;
/** The least by which a bid goes above the highest one. */
export const minIncrement: Cents = 100;
/** The least that an auction may start at. */
export const minStartingBid: Cents = 100;
/** R100,000,000: the most that an amount may be (docs/product.md, "Money"). */
export const highestAmount: Cents = 10_000_000_000;
/** Longest text of an amount, in characters. */
export const amountTextLimit = 40;

const grouped = new Intl.NumberFormat("en-ZA-u-nu-latn", { useGrouping: false });

/** Formats an amount for people, in messages too: R151.00, R1,250.00. */
export function formatMoney(cents: Cents): string {
  const rand = grouped.format(Math.trunc(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
  return `R${rand}.${String(cents % 100).padStart(2, "0")}`;
}

/** Formats an amount for a form's field: 151, 1250.50. */
export const amountInput = (cents: Cents): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);

/** Reasons why a text is no amount. */
export const amountProblems = [
  "empty",
  "notANumber",
  "otherCurrency",
  "negative",
  "tooManyDecimals",
  "enormous",
] as const;
export type AmountProblem = (typeof amountProblems)[number];

export type Amount = { kind: "amount"; cents: Cents } | { kind: "problem"; problem: AmountProblem };

export const amountMessages: Record<AmountProblem, string> = {
  empty: "Please enter an amount.",
  notANumber: "Please enter the amount as a number, such as 1250 or 1250.50.",
  otherCurrency: "Amounts are in rand (R). Please leave out other currency signs.",
  negative: "An amount can't be negative.",
  tooManyDecimals: "Please enter at most two decimals: rand and cents.",
  enormous: `An amount can be at most ${formatMoney(highestAmount)}.`,
};

const problem = (kind: AmountProblem): Amount => ({ kind: "problem", problem: kind });

/** `R 1,250.50` without the sign of the rand, spaces and the commas between thousands. */
function bare(text: string): string {
  const unsigned = text.trim().replace(/^(-?)\s*R\s*/i, "$1");
  const digits = unsigned.replace(/[\s\u00a0\u202f]/g, "");
  return /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(digits) ? digits.replaceAll(",", "") : digits;
}

/**
 * Reads an amount as somebody types it: digits with up to two decimals, with or without R, spaces and commas between
 * thousands. The decimal sign may be a comma, as is usual in South Africa; three digits after a comma are thousands.
 * Never by way of a floating-point number.
 */
export function parseAmount(text: string): Amount {
  if (text.trim() === "") return problem("empty");
  if (/\p{Sc}|\b(USD|EUR|GBP|NGN|AED|CAD)\b/iu.test(text)) return problem("otherCurrency");
  const match = /^(?<minus>-?)(?<rand>\d+)(?:[.,](?<decimals>\d*))?$/.exec(bare(text));
  if (!match?.groups) return problem("notANumber");
  const { minus = "", rand = "", decimals = "" } = match.groups;
  if (minus !== "") return problem("negative");
  if (decimals.length > 2) return problem("tooManyDecimals");
  const significant = rand.replace(/^0+/, "");
  if (significant.length > String(highestAmount).length) return problem("enormous");
  const cents = Number(significant + decimals.padEnd(2, "0"));
  return cents > highestAmount ? problem("enormous") : { kind: "amount", cents };
}
