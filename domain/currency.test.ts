import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Currency, moneyInput, moneyText, parseMoney } from "./currency.ts";
import { keysOf } from "./keys-of.ts";

const most = 10_000_000_000;
const amounts = fc.integer({ min: 0, max: most });
const read = (text: string, currency: Currency) => {
  const parsed = parseMoney(text, currency, most);
  return parsed.kind === "money" ? parsed.money : parsed.problem;
};

const decimals: Record<Currency, number> = {
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
};
describe.each(keysOf(decimals))("%s", (currency) => {
  test("parses money as it is shown, and as a form's field has it, back to the same money", () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const money = { amount, currency };
        expect(read(moneyText(money), currency)).toEqual(money);
        expect(read(moneyInput(money), currency)).toEqual(money);
      }),
    );
  });

  test("accepts at most as many decimals as ISO 4217 gives it", () => {
    const places = decimals[currency];
    expect(read(`1.${"9".repeat(places)}`, currency)).toEqual({ amount: 2 * 10 ** places - 1, currency });
    expect(read(`1.${"9".repeat(places + 1)}`, currency)).toBe("tooManyDecimals");
  });

  test("refuses an amount above the most", () => {
    expect(read(moneyText({ amount: most + 1, currency }), currency)).toBe("enormous");
  });
});

test.each([
  [{ amount: 125_000, currency: "ZAR" }, "R1,250.00", "1250"],
  [{ amount: 400_050, currency: "GBP" }, "GBP 4,000.50", "4000.50"],
  [{ amount: 5, currency: "KWD" }, "KWD 0.005", "0.005"],
  [{ amount: 1_250_000, currency: "JPY" }, "JPY 1,250,000", "1250000"],
  [{ amount: 0, currency: "JPY" }, "JPY 0", "0"],
] as const)("%o is shown as %s, and in a field as %s", (money, text, input) => {
  expect(moneyText(money).replace("\u00a0", " ")).toBe(text);
  expect(moneyInput(money)).toBe(input);
});

test.each([
  ["gbp 4000", "GBP", { amount: 400_000, currency: "GBP" }],
  ["EUR 4000", "GBP", "otherCurrency"],
  ["£4000", "GBP", "otherCurrency"],
  ["AUD 5", "ZAR", "otherCurrency"],
  ["4000 zar", "GBP", "otherCurrency"],
  ["NGN 5000", "GBP", "otherCurrency"],
  ["R4000", "GBP", "notANumber"],
  ["4 000", "JPY", { amount: 4000, currency: "JPY" }],
  ["1,250", "KWD", { amount: 1_250_000, currency: "KWD" }],
  ["1,25", "KWD", { amount: 1250, currency: "KWD" }],
] as const)("%j is parsed in %s as %o", (text, currency, money) =>
  expect(read(text, currency)).toEqual(money),
);
