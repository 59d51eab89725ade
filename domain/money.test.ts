import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AmountProblem, amountProblems } from "./currency.ts";
import { amountInput, amountMessages, formatMoney, highestAmount, parseAmount } from "./money.ts";

const cents = fc.integer({ min: 0, max: highestAmount });
const read = (text: string) => {
  const amount = parseAmount(text);
  return amount.kind === "amount" ? amount.cents : amount.problem;
};

test.each([
  [0, "R0.00"],
  [5, "R0.05"],
  [15_100, "R151.00"],
  [125_000, "R1,250.00"],
  [99_999_999, "R999,999.99"],
  [highestAmount, "R100,000,000.00"],
])("%d cents are shown as %s", (amount, text) => expect(formatMoney(amount)).toBe(text));

test("parses an amount as it is shown, and as a form's field has it, back to the same amount", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(read(formatMoney(amount))).toBe(amount);
      expect(read(amountInput(amount))).toBe(amount);
    }),
  );
});

test("parses every spelling of rand and cents to the same amount", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      const plain = (amount / 100).toFixed(2);
      const price = formatMoney(amount);
      const spaced = price.slice(1).replaceAll(",", " ");
      for (const text of [plain, plain.replace(".", ","), spaced, spaced.replace(".", ","), `R ${spaced}`])
        expect(read(text)).toBe(amount);
    }),
  );
});

test.each([
  ["151", 15_100],
  ["0", 0],
  ["000151", 15_100],
  ["000000000000000000151", 15_100],
  ["151.", 15_100],
  ["151.5", 15_150],
  ["0.29", 29],
  // Multiplying these two by 100 as floating-point numbers loses a cent.
  ["1.15", 115],
  ["4.35", 435],
  ["  151.05 ", 15_105],
  ["R151", 15_100],
  ["r 151,000.00", 15_100_000],
  ["1,250", 125_000],
  ["1,250,000.5", 125_000_050],
  ["1 250", 125_000],
  ["1\u00a0250\u202f000", 125_000_000],
  ["2200,50", 220_050],
  ["2 200,50", 220_050],
  ["R2,200.50", 220_050],
  ["2200.50", 220_050],
  ["2,200", 220_000],
  ["R 2 200", 220_000],
  ["2200,5", 220_050],
  ["1,25", 125],
  ["0,29", 29],
  ["151,", 15_100],
  ["100000000", highestAmount],
  ["R100,000,000.00", highestAmount],
])("%j is %d cents", (text, amount) => expect(read(text)).toBe(amount));

const bad: Record<AmountProblem, string[]> = {
  empty: ["", " ", "\t\n", "\u00a0"],
  notANumber: [
    "abc",
    "R",
    "1e5",
    "0x10",
    "NaN",
    "Infinity",
    "-Infinity",
    "12,50.00",
    "1,25,50",
    "1.250,50",
    ",100",
    "1.2.3",
    ".5",
    "+5",
    "--5",
    "- ",
    "５００",
    "١٢٣",
    "½",
    "10%",
    "ten",
    "null",
    "1_000",
    "151 R",
    "RR5",
    "\u202e151",
    "1;drop",
  ],
  otherCurrency: ["$5", "5 €", "£10", "¥1", "₦2000", "USD 5", "5 usd", "EUR 10", "12 AED", "R$5"],
  negative: ["-5", "-0", "-0.01", "R-5", "-R5", "-R 1,250.00", "-99999999999999"],
  tooManyDecimals: ["1.234", "0,500", "1,2500", "2200,500", "0.001", "1,250.500", "100000000.001", "R5.000"],
  enormous: ["100000000.01", "100000001", "1000000000000000000000000", "9".repeat(40), "R100,000,001"],
};
describe.each(amountProblems)("%s", (problem) => {
  test.each(bad[problem])("%j", (text) => expect(read(text)).toBe(problem));
});

test("each kind of invalid amount has its own message", () => {
  expect(new Set(Object.values(amountMessages)).size).toBe(amountProblems.length);
  expect(amountMessages.enormous).toBe("An amount can be at most R100,000,000.00.");
});

test("any text is refused, or parsed as whole cents up to the highest amount", () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,- R$e")), maxLength: 24 }),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  let count = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const amount = parseAmount(text);
      if (amount.kind === "problem") return;
      count++;
      expect(Number.isSafeInteger(amount.cents)).toBe(true);
      expect(amount.cents).toBeGreaterThanOrEqual(0);
      expect(amount.cents).toBeLessThanOrEqual(highestAmount);
    }),
    { numRuns: 2000 },
  );
  expect(count).toBeGreaterThan(20);
});

test("a very long text is parsed like any other", () => {
  expect(read(`${"0".repeat(100_000)}1`)).toBe(100);
  expect(read(`R${" ".repeat(100_000)}x`)).toBe("notANumber");
});
