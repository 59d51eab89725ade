import { describe, expect, test } from "vitest";
import type { ProgrammeEntry } from "./programme.ts";
import { checkProgramme } from "./programme-check.ts";

const today = "2026-11-24";
const entry: ProgrammeEntry = {
  title: " MSc Nursing ",
  level: "Postgraduate",
  field: "health",
  award: "MSc",
  months: 12,
  mode: "fullTime",
  language: "en",
  url: "https://leeds.example/nursing",
  checkedOn: today,
  source: "leeds.ac.uk",
  sourceId: null,
  sample: false,
  intakes: [
    { year: 2028, month: 1, state: "open", deadlines: [] },
    {
      year: 2027,
      month: 9,
      state: "open",
      deadlines: [
        { kind: "depositBy", group: null, date: "2027-07-01", time: null, hard: false },
        { kind: "applyBy", group: "West Africa", date: "2027-05-31", time: null, hard: true },
        { kind: "applyBy", group: null, date: "2027-06-30", time: null, hard: true },
      ],
    },
  ],
  fees: [
    { kind: "deposit", amount: 0, currency: "JPY", per: "whole", academicYear: 2027, audience: "all" },
    {
      kind: "tuition",
      amount: 2_650_000,
      currency: "AED",
      per: "year",
      academicYear: 2027,
      audience: "international",
    },
  ],
  requirementSets: [[{ kind: "text", text: "A portfolio" }]],
};

describe("a checked programme", () => {
  test("is the same whatever order it was entered in, and when it is checked again", () => {
    const programme = checkProgramme(entry, today);
    const shuffled = {
      ...entry,
      intakes: entry.intakes
        .map((intake) => ({ ...intake, deadlines: intake.deadlines.toReversed() }))
        .toReversed(),
      fees: entry.fees.toReversed(),
    };
    expect(checkProgramme(shuffled, today)).toEqual(programme);
    expect("code" in programme ? programme : checkProgramme(programme, today)).toEqual(programme);
    expect(programme).toMatchObject({
      title: "MSc Nursing",
      intakes: [
        {
          year: 2027,
          deadlines: [{ kind: "applyBy", group: null }, { group: "West Africa" }, { kind: "depositBy" }],
        },
        { year: 2028 },
      ],
      fees: [{ kind: "tuition" }, { kind: "deposit", amount: 0 }],
    });
  });

  test("keeps the order of the sets and of their requirements, which is the author's", () => {
    const requirementSets = [
      [
        { kind: "text", text: "B" },
        { kind: "text", text: "A" },
      ],
      [{ kind: "text", text: "A" }],
    ] as const;
    expect(checkProgramme({ ...entry, requirementSets }, today)).toMatchObject({ requirementSets });
  });
});

const fee = {
  kind: "tuition",
  amount: 1,
  currency: "GBP",
  per: "year",
  academicYear: 2027,
  audience: "all",
} as const;
const portfolio = { kind: "text", text: "A portfolio" } as const;

test.each<[string, Partial<ProgrammeEntry>]>([
  ["title", { title: " " }],
  ["title", { title: "x".repeat(121) }],
  ["title", { title: "a\u200bb" }],
  ["award", { award: "x".repeat(61) }],
  ["months", { months: 0 }],
  ["months", { months: 97 }],
  ["months", { months: 1.5 }],
  ["url", { url: "javascript:alert(1)" }],
  ["url", { url: "leeds.example" }],
  ["checkedOn", { checkedOn: "2026-11-25" }],
  ["checkedOn", { checkedOn: "2026-02-30" }],
  ["source", { source: " " }],
  ["sourceId", { sourceId: " " }],
  ["sourceId", { sourceId: "x".repeat(121) }],
  ["fees", { fees: [{ ...fee, amount: -1 }] }],
  ["fees", { fees: [{ ...fee, amount: 0.5 }] }],
  ["fees", { fees: [{ ...fee, amount: Number.MAX_SAFE_INTEGER }] }],
  ["fees", { fees: [{ ...fee, academicYear: 2019 }] }],
  ["fees", { fees: [{ ...fee, academicYear: 2027.5 }] }],
  ["fees", { fees: [fee, { ...fee, amount: 2, currency: "EUR" }] }],
  ["intakes", { intakes: [{ year: 2027, month: 13, state: "open", deadlines: [] }] }],
  ["requirementSets", { requirementSets: [[]] }],
  ["requirementSets", { requirementSets: Array.from({ length: 13 }, () => [portfolio]) }],
  ["requirementSets", { requirementSets: [Array.from({ length: 21 }, () => portfolio)] }],
  ["requirementSets", { requirementSets: [[{ kind: "age", least: null, most: null }]] }],
])("a programme with an invalid %s is refused with that field: %#", (field, changes) => {
  expect(checkProgramme({ ...entry, ...changes }, today)).toMatchObject({ code: "form/incomplete", field });
});

test("accepts a programme whose award, intakes, fees and requirements aren't known yet", () => {
  const bare = { ...entry, award: "", months: null, intakes: [], fees: [], requirementSets: [] };
  expect(checkProgramme(bare, today)).not.toHaveProperty("code");
});
