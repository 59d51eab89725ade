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

test("a cell of fees is parsed to the fees that it was written from, in every currency", () => {
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

test("cells of intakes and deadlines are parsed to the intakes that they were written from", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(intake, { maxLength: 6, selector: ({ year, month }) => `${year} ${month}` }),
      (intakes) => {
        expect(readIntakes(intakesCell(intakes), deadlinesCell(intakes))).toEqual(intakes);
      },
    ),
  );
});

test("refuses an amount with more decimals than its currency, and texts that only look like a fee", () => {
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

test("the problem of an invalid fee names the wrong part", () => {
  const cases = {
    "parking 10 GBP a year 2026/27 all":
      "must begin with tuition, application, deposit, accommodation or other",
    tuition: "needs an amount in plain digits",
    "tuition 14,500 GBP a year 2026/27 all": "needs an amount in plain digits",
    "tuition 14500 a year 2026/27 all": "needs an amount in plain digits",
    "tuition 14500 XYZ a year 2026/27 all": "has a currency that isn't one of",
    "tuition 14500.5 JPY a year 2026/27 all": "has more decimals than JPY has",
    "tuition 14500 GBP yearly 2026/27 all": "must say “a year” or “whole programme”",
    "tuition 14500 GBP a year all": "needs an academic year such as 2026/27",
    "tuition 14500 GBP a year 2026/28 all": "needs an academic year such as 2026/27",
    "tuition 14500 GBP a year 2026/27": "must end with international, home or all",
    "tuition 14500 GBP a year 2026/27 all more": "must end with international, home or all",
  };
  for (const [line, problem] of Object.entries(cases))
    expect(readFees(line)).toEqual({ problem: expect.stringContaining(`Fees: “${line}” ${problem}`) });
});

test("the problem of an invalid intake or deadline names the wrong part", () => {
  expect(readIntakes("September 2027 open", "")).toEqual({
    problem: "Intakes: “September 2027 open” must begin with a year and a month, such as 2027-09.",
  });
  for (const line of ["2027-09", "2027-09 opened"])
    expect(readIntakes(line, "")).toEqual({
      problem: `Intakes: “${line}” must say after the month open, not yet, closed or full.`,
    });
  const cases = {
    "apply by 2027-06-30": "must begin with the year and the month of its intake",
    "2027-09 send by 2027-06-30":
      "must say after the month apply by, documents by, deposit by or visa papers by",
    "2027-09 apply by 30 June": "needs a day such as 2027-06-30",
    "2027-09 apply by 2027-06-301": "can only have a time such as 17:00",
    "2027-09 apply by 2027-06-30 5pm": "can only have a time such as 17:00",
    "2027-09 apply by 2027-06-30 for": "can only have a time such as 17:00",
  };
  for (const [line, problem] of Object.entries(cases))
    expect(readIntakes("2027-09 open", line)).toEqual({
      problem: expect.stringContaining(`Deadlines: “${line}” ${problem}`),
    });
});

test("a deadline without its intake is refused", () => {
  expect(readIntakes("2027-09 open", "2028-01 apply by 2027-11-30")).toEqual({
    problem: "Deadlines: there is no intake in 2028-01.",
  });
});
