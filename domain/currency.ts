import { keysOf } from "#domain/keys-of.ts";

/** Digits after the decimal point of amounts in a currency (ISO 4217). */
export const decimalsOf = {
  AED: 2,
  AUD: 2,
  CAD: 2,
  EUR: 2,
  GBP: 2,
  JPY: 0,
  KWD: 3,
  NZD: 2,
  USD: 2,
  ZAR: 2,
} as const;

export type Currency = keyof typeof decimalsOf;
export const currencies = keysOf(decimalsOf);

/** An amount of money. `amount` counts the currency's smallest unit, never below 0: cents, pence, yen, fils. */
export type Money = { amount: number; currency: Currency };

/** Reasons why a text is not an amount. */
export const amountProblems = [
  "empty",
  "notANumber",
  "otherCurrency",
  "negative",
  "tooManyDecimals",
  "enormous",
] as const;
export type AmountProblem = (typeof amountProblems)[number];

type ParsedMoney = { kind: "money"; money: Money } | { kind: "problem"; problem: AmountProblem };

/** Returns the letters that may precede an amount. Signs such as $ are ambiguous, so none is used. */
const prefixOf = (currency: Currency): string => (currency === "ZAR" ? "R" : currency);

/** Splits an amount at its decimal point without floating-point arithmetic. */
function digitsOf({ amount, currency }: Money): { whole: string; fraction: string } {
  const decimals = decimalsOf[currency];
  const digits = String(amount).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return { whole: digits.slice(0, point), fraction: digits.slice(point) };
}

/** Formats an amount for people: R1,250.00, GBP 4,000.00, JPY 4,000. The space is a non-breaking one. */
export function moneyText(money: Money): string {
  const { whole, fraction } = digitsOf(money);
  const gap = money.currency === "ZAR" ? "" : "\u00a0";
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${prefixOf(money.currency)}${gap}${grouped}${fraction && `.${fraction}`}`;
}

/** Formats an amount for a form's field: 151, 1250.50. */
export function moneyInput(money: Money): string {
  const { whole, fraction } = digitsOf(money);
  return /^0*$/.test(fraction) ? whole : `${whole}.${fraction}`;
}

/** Codes that people type with an amount. Naira is typed in Nigeria, though no amount here is in naira. */
const codes = new RegExp(`\\b(${[...currencies, "NGN"].join("|")})\\b`, "giu");

/** Whether a text has a currency sign, or the code of another currency. */
const namesOther = (text: string, currency: Currency): boolean =>
  /\p{Sc}/u.test(text) || Array.from(text.matchAll(codes)).some(([code]) => code.toUpperCase() !== currency);

/** Removes the currency's letters from `R 1,250.50`, and spaces and the commas between thousands. */
function bare(text: string, currency: Currency): string {
  const prefix = new RegExp(`^(-?)\\s*${prefixOf(currency)}\\s*`, "i");
  const digits = text
    .trim()
    .replace(prefix, "$1")
    .replace(/[\s\u00a0\u202f]/g, "");
  return /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(digits) ? digits.replaceAll(",", "") : digits;
}

/**
 * Parses a typed amount without floating-point arithmetic: digits with as many decimals as the currency has, with or
 * without its letters, spaces and commas between thousands. The decimal sign may be a comma, as is usual in South
 * Africa; three digits after a comma are thousands. `most`: the highest amount, in the smallest unit.
 */
export function parseMoney(text: string, currency: Currency, most: number): ParsedMoney {
  const problem = (kind: AmountProblem): ParsedMoney => ({ kind: "problem", problem: kind });
  if (text.trim() === "") return problem("empty");
  if (namesOther(text, currency)) return problem("otherCurrency");
  const match = /^(?<minus>-?)(?<whole>\d+)(?:[.,](?<fraction>\d*))?$/.exec(bare(text, currency));
  if (!match?.groups) return problem("notANumber");
  const { minus = "", whole = "", fraction = "" } = match.groups;
  if (minus !== "") return problem("negative");
  const decimals = decimalsOf[currency];
  if (fraction.length > decimals) return problem("tooManyDecimals");
  const significant = whole.replace(/^0+/, "");
  if (significant.length > String(most).length) return problem("enormous");
  const amount = Number(significant + fraction.padEnd(decimals, "0"));
  return amount > most ? problem("enormous") : { kind: "money", money: { amount, currency } };
}
