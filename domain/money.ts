import { type AmountProblem, type Money, moneyInput, moneyText, parseMoney } from "./currency.ts";

/** Money of the marketplace: integer cents of South African rand. */
export type Cents = number;

export const centsPerRand: Cents = 100;
/** The least that an auction may start at. */
export const minStartingBid: Cents = 100;
/** R100,000,000: the most that an amount may be (docs/product.md, "Money"). */
export const highestAmount: Cents = 10_000_000_000;
/** Longest text of an amount, in characters. */
export const amountTextLimit = 40;

const rand = (cents: Cents): Money => ({ amount: cents, currency: "ZAR" });

/** Formats an amount for people, in messages too: R151.00, R1,250.00. */
export const formatMoney = (cents: Cents): string => moneyText(rand(cents));

/** Formats an amount for a form's field: 151, 1250.50. */
export const amountInput = (cents: Cents): string => moneyInput(rand(cents));

export type Amount = { kind: "amount"; cents: Cents } | { kind: "problem"; problem: AmountProblem };

export const amountMessages: Record<AmountProblem, string> = {
  empty: "Please enter an amount.",
  notANumber: "Please enter the amount as a number, such as 1250 or 1250.50.",
  otherCurrency: "Amounts are in rand (R). Please leave out other currency signs.",
  negative: "An amount can't be negative.",
  tooManyDecimals: "Please enter at most two decimals: rand and cents.",
  enormous: `An amount can be at most ${formatMoney(highestAmount)}.`,
};

/** Parses a typed amount in rand. */
export function parseAmount(text: string): Amount {
  const parsed = parseMoney(text, "ZAR", highestAmount);
  return parsed.kind === "money" ? { kind: "amount", cents: parsed.money.amount } : parsed;
}
