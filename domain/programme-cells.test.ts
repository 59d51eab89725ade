import fc from "fast-check";
import { expect, test } from "vitest";
import { currencies } from "#domain/currency.ts";
import {
  feeAudiences,
  feeKinds,
  feePeriods,
  intakeDeadlineKinds,
  intakeStates,
  programmeLimits,
} from "#domain/programme.ts";
import { deadlinesCell, feesCell, intakesCell, readFees, readIntakes } from "./programme-cells.ts";

const fee = fc.record({
  kind: fc.constantFrom(...feeKinds),
  amount: fc.integer({ min: 0, max: programmeLimits.fee }),
  currency: fc.constantFrom(...currencies),
  per: fc.constantFrom(...feePeriods),
  academicYear: fc.integer({ min: programmeLimits.firstYear, max: programmeLimits.lastYear }),
  audience: fc.constantFrom(...feeAudiences),
});

const deadline = fc.record({
  kind: fc.constantFrom(...intakeDeadlineKinds),
  group: fc.constantFrom(null, "West Africa", "European Union (and Switzerland)"),
  date: fc.constantFrom("2027-06-30", "2028-02-29"),
  time: fc.constantFrom(null, "17:00", "00:00"),
  hard: fc.boolean(),
});
const intake = fc.record({
  year: fc.integer({ min: programmeLimits.firstYear, max: programmeLimits.lastYear }),
  month: fc.integer({ min: 1, max: 12 }),
  state: fc.constantFrom(...intakeStates),
  deadlines: fc.array(deadline, { maxLength: 4 }),
});

test("a cell of fees reads as the amounts that it was written from, in every currency", () => {
  fc.assert(
    fc.property(fc.array(fee, { maxLength: 8 }), (fees) => {
      expect(readFees(feesCell(fees))).toEqual(fees);
    }),
  );
  for (const currency of currencies)
    for (const amount of [0, 1, 9, 10, 999, 1000, 1001, 123_456_789, programmeLimits.fee]) {
      const one = [
        { kind: "tuition", amount, currency, per: "year", academicYear: 2026, audience: "all" },
      ] as const;
      expect(readFees(feesCell(one))).toEqual(one);
    }
});

test("cells of intakes and deadlines read as the intakes that they were written from", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(intake, { maxLength: 6, selector: ({ year, month }) => `${year} ${month}` }),
      (intakes) => {
        expect(readIntakes(intakesCell(intakes), deadlinesCell(intakes))).toEqual(intakes);
      },
    ),
  );
});

test("an amount with more decimals than its currency has is refused, as is what only looks like a fee", () => {
  for (const cell of [
    "tuition 14500.5 JPY a year 2026/27 international",
    "tuition 14,500 GBP a year 2026/27 international",
    "tuition 14500 GBP a year 2026/28 international",
    "tuition £14500 a year 2026/27 international",
    "tuition 14500 XYZ a year 2026/27 international",
    "parking 10 GBP a year 2026/27 all",
  ])
    expect(readFees(cell)).toMatchObject({ problem: expect.stringContaining(cell) });
});

test("a deadline without its intake is refused", () => {
  expect(readIntakes("2027-09 open", "2028-01 apply by 2027-11-30")).toEqual({
    problem: "Deadlines: there is no intake in 2028-01.",
  });
});
