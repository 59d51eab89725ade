import type { ExportedProgramme } from "#contract/catalogue-import.ts";
import type { StudyCountry, StudyLevel } from "#domain/application.ts";
import { monthsBefore } from "#domain/calendar-date.ts";
import type { Currency } from "#domain/currency.ts";
import type { StudyField } from "#domain/programme.ts";
import type { Requirement, RequirementSet } from "#domain/requirement.ts";

/** The source that identifies the sample programmes. */
export const sampleSource = "Wayfare samples";

const ielts = (overall: number, each: number): Requirement => ({
  kind: "english",
  test: "ieltsAcademic",
  overall,
  components: { listening: each, reading: each, writing: each, speaking: each },
  years: 2,
});
const toefl = (overall: number): Requirement => ({
  kind: "english",
  test: "toefl",
  overall,
  components: {},
  years: 2,
});
const bachelor = (grade: string): Requirement => ({
  kind: "qualification",
  country: null,
  award: "bachelor",
  scale: "ukHonours",
  grade,
});
const gpa = (grade: string): Requirement => ({
  kind: "qualification",
  country: null,
  award: "bachelor",
  scale: "gpa4",
  grade,
});
const school = (country: string, scale: "wassce" | "nsc" | "kcse", grade: string): Requirement => ({
  kind: "qualification",
  country,
  award: "secondary",
  scale,
  grade,
});
const maths: Requirement = { kind: "subject", subject: "Mathematics", scale: "wassce", grade: "B3" };

type SampleInstitution = {
  name: string;
  country: StudyCountry;
  place: string;
  zone: string;
  currency: Currency;
};
const leeds: SampleInstitution = {
  name: "Example University of Leeds",
  country: "GB",
  place: "Leeds",
  zone: "Europe/London",
  currency: "GBP",
};
const glasgow: SampleInstitution = {
  name: "Example College Glasgow",
  country: "GB",
  place: "Glasgow",
  zone: "Europe/London",
  currency: "GBP",
};
const toronto: SampleInstitution = {
  name: "Example University of Toronto",
  country: "CA",
  place: "Toronto",
  zone: "America/Toronto",
  currency: "CAD",
};
const dublin: SampleInstitution = {
  name: "Example Institute Dublin",
  country: "IE",
  place: "Dublin",
  zone: "Europe/Dublin",
  currency: "EUR",
};
const boston: SampleInstitution = {
  name: "Example University of Boston",
  country: "US",
  place: "Boston",
  zone: "America/New_York",
  currency: "USD",
};
const dubai: SampleInstitution = {
  name: "Example University in Dubai",
  country: "AE",
  place: "Dubai",
  zone: "Asia/Dubai",
  currency: "USD",
};

type Sample = {
  at: SampleInstitution;
  title: string;
  level: StudyLevel;
  field: StudyField;
  award: string;
  months: number;
  month: number;
  /** Tuition per year, in whole units of the currency. */
  tuition: number;
  sets: RequirementSet[];
};

const samples: readonly Sample[] = [
  {
    at: leeds,
    title: "MSc Data Science",
    level: "Postgraduate",
    field: "computing",
    award: "MSc",
    months: 12,
    month: 9,
    tuition: 28_500,
    sets: [
      [bachelor("Upper second (2:1)"), ielts(6.5, 6)],
      [gpa("3.3"), ielts(6.5, 6)],
    ],
  },
  {
    at: leeds,
    title: "BSc Nursing",
    level: "Undergraduate",
    field: "health",
    award: "BSc",
    months: 36,
    month: 9,
    tuition: 24_250,
    sets: [
      [school("NG", "wassce", "B3"), ielts(7, 6.5), { kind: "age", least: 18, most: null }],
      [school("ZA", "nsc", "70"), ielts(7, 6.5)],
    ],
  },
  {
    at: leeds,
    title: "Foundation Year in Business",
    level: "Foundation",
    field: "business",
    award: "Certificate",
    months: 9,
    month: 1,
    tuition: 16_900,
    sets: [
      [school("NG", "wassce", "C6"), ielts(5.5, 5)],
      [school("KE", "kcse", "C+"), ielts(5.5, 5)],
    ],
  },
  {
    at: glasgow,
    title: "Pre-Sessional English, 12 Weeks",
    level: "Pre-Sessional",
    field: "arts",
    award: "Certificate",
    months: 3,
    month: 6,
    tuition: 5_400,
    sets: [[ielts(5.5, 5)]],
  },
  {
    at: glasgow,
    title: "MBA",
    level: "Postgraduate",
    field: "business",
    award: "MBA",
    months: 12,
    month: 9,
    tuition: 31_000,
    sets: [[bachelor("Lower second (2:2)"), ielts(6.5, 6), { kind: "work", leastMonths: 36, field: "" }]],
  },
  {
    at: toronto,
    title: "MEng Electrical Engineering",
    level: "Postgraduate",
    field: "engineering",
    award: "MEng",
    months: 16,
    month: 9,
    tuition: 42_300,
    sets: [
      [gpa("3.0"), toefl(93)],
      [gpa("3.0"), ielts(7, 6.5)],
    ],
  },
  {
    at: toronto,
    title: "BA Economics",
    level: "Undergraduate",
    field: "social",
    award: "BA",
    months: 48,
    month: 9,
    tuition: 58_160,
    sets: [[school("NG", "wassce", "B2"), maths, ielts(6.5, 6)]],
  },
  {
    at: dublin,
    title: "MSc Food Science",
    level: "Postgraduate",
    field: "agriculture",
    award: "MSc",
    months: 12,
    month: 9,
    tuition: 22_800,
    sets: [[bachelor("Upper second (2:1)"), ielts(6.5, 6)]],
  },
  {
    at: dublin,
    title: "General English",
    level: "English Language",
    field: "arts",
    award: "",
    months: 6,
    month: 1,
    tuition: 7_350,
    sets: [],
  },
  {
    at: boston,
    title: "BFA Graphic Design",
    level: "Undergraduate",
    field: "arts",
    award: "BFA",
    months: 48,
    month: 9,
    tuition: 49_900,
    sets: [[school("ZA", "nsc", "60"), toefl(80), { kind: "text", text: "A portfolio of ten works" }]],
  },
  {
    at: boston,
    title: "MEd Inclusive Education",
    level: "Postgraduate",
    field: "education",
    award: "MEd",
    months: 18,
    month: 1,
    tuition: 33_120,
    sets: [[gpa("3.0"), toefl(90), { kind: "gap", mostYears: 10 }]],
  },
  {
    at: dubai,
    title: "BSc Hospitality Management",
    level: "Undergraduate",
    field: "services",
    award: "BSc",
    months: 36,
    month: 9,
    tuition: 17_600,
    sets: [[school("KE", "kcse", "B-"), ielts(6, 5.5)]],
  },
];

/** Returns the sample programmes, checked on `today` (YYYY-MM-DD) and with intakes in the following years. */
export function sampleRows(today: string): Omit<ExportedProgramme, "id">[] {
  const thisYear = Number(today.slice(0, 4));
  return samples.map(({ at: { currency, ...institution }, month, tuition, sets, ...facts }, number) => ({
    ...facts,
    institution: { ...institution, website: "" },
    mode: "fullTime",
    language: "en",
    url: `https://example.com/programmes/${number + 1}`,
    checkedOn: today,
    source: sampleSource,
    sourceId: String(number + 1),
    sample: true,
    intakes: [thisYear + 1, thisYear + 2].map((year, later) => ({
      year,
      month,
      state: later === 0 ? "open" : "notYet",
      deadlines: [
        {
          kind: "applyBy",
          group: null,
          date: monthsBefore(`${year}-${String(month).padStart(2, "0")}-15`, 2),
          time: "17:00",
          hard: true,
        },
      ],
    })),
    fees: [
      {
        kind: "tuition",
        amount: tuition * 100,
        currency,
        per: "year",
        academicYear: thisYear + 1,
        audience: "international",
      },
    ],
    requirementSets: sets.map((set) => [...set]),
  }));
}
