import type { StudyCountry } from "#domain/application.ts";
import { calendarDate, monthsBefore } from "#domain/calendar-date.ts";
import type { Currency } from "#domain/currency.ts";
import {
  type Fee,
  type IntakeDeadline,
  type IntakeEntry,
  type ProgrammeEntry,
  startDay,
} from "#domain/programme.ts";
import { checkProgramme } from "#domain/programme-check.ts";
import { type Course, coursesOf } from "./courses.ts";
import { entryRequirementsOf } from "./entry-requirements.ts";
import { at, Random } from "./random.ts";
import { daysBefore } from "./time.ts";
import { type DemoInstitution, universities } from "./universities.ts";

/** A programme of the demo, with its institution. */
export type DemoProgramme = { institution: DemoInstitution; entry: ProgrammeEntry };

export const groups: readonly { name: string; countries: string[] }[] = [
  { name: "West Africa", countries: ["NG", "GH", "SN", "CI", "GM", "SL", "LR"] },
  { name: "South Asia", countries: ["IN", "PK", "BD", "LK", "NP"] },
];

/** The months in which studies begin, and the tuition of a year in whole units of the currency. */
const customs: Record<
  StudyCountry,
  { months: readonly number[]; currency: Currency; least: number; most: number; home: number }
> = {
  GB: { months: [1, 9], currency: "GBP", least: 14_500, most: 27_500, home: 9_535 },
  IE: { months: [9], currency: "EUR", least: 12_000, most: 24_000, home: 3_000 },
  CA: { months: [1, 5, 9], currency: "CAD", least: 21_000, most: 42_000, home: 7_200 },
  US: { months: [1, 8], currency: "USD", least: 22_000, most: 46_000, home: 12_400 },
  // February is not one of the form's three intakes.
  AE: { months: [2, 9], currency: "AED", least: 45_000, most: 92_000, home: 45_000 },
};

function deadlinesOf(start: string, random: Random): IntakeDeadline[] {
  const due = (kind: IntakeDeadline["kind"], months: number, more: Partial<IntakeDeadline> = {}) => ({
    kind,
    group: null,
    date: `${monthsBefore(start, months).slice(0, 8)}15`,
    time: null,
    hard: kind === "applyBy",
    ...more,
  });
  return [
    due("applyBy", 3, { time: "17:00" }),
    ...(random.chance(0.5) ? [due("applyBy", 4, { time: "17:00", group: "West Africa" })] : []),
    ...(random.chance(0.3) ? [due("applyBy", 5, { time: "17:00", group: "South Asia" })] : []),
    due("documentsBy", 2),
    ...(random.chance(0.7) ? [due("depositBy", 2)] : []),
    due("visaPapersBy", 1),
  ];
}

/** Returns the starts in this and the next two years, except those that are long over. */
function intakesOf(random: Random, months: readonly number[], today: string): IntakeEntry[] {
  const year = Number(today.slice(0, 4));
  const begins = random.chance(0.3) ? months.slice(-1) : months;
  return [0, 1, 2].flatMap((later) =>
    begins.flatMap((month): IntakeEntry[] => {
      const start = startDay({ year: year + later, month });
      if (start < monthsBefore(today, 3)) return [];
      return [
        {
          year: year + later,
          month,
          state: stateOf(random, start, today),
          deadlines: deadlinesOf(start, random),
        },
      ];
    }),
  );
}

function stateOf(random: Random, start: string, today: string): IntakeEntry["state"] {
  if (start < monthsBefore(today, -3)) return random.chance(0.2) ? "full" : "closed";
  return start < monthsBefore(today, -16) ? "open" : "notYet";
}

function feesOf(random: Random, course: Course, country: StudyCountry, year: number): Fee[] {
  if (random.chance(0.05)) return [];
  const { currency, least, most, home } = customs[country];
  const isDegree = course.level === "Undergraduate" || course.level === "Postgraduate";
  const tuition = Math.round(random.between(least, most) * (isDegree ? 1 : 0.6)) * 100;
  const fee = (kind: Fee["kind"], amount: number, more: Partial<Fee> = {}): Fee => ({
    kind,
    amount,
    currency,
    per: "year",
    academicYear: year,
    audience: "international",
    ...more,
  });
  return [
    fee("tuition", Math.round(tuition / 5_000) * 5_000),
    fee("tuition", Math.round((tuition * 0.96) / 5_000) * 5_000, { academicYear: year - 1 }),
    ...(isDegree && country !== "AE" ? [fee("tuition", home * 100, { audience: "home" })] : []),
    ...(random.chance(0.6) ? [fee("application", random.whole(5, 15) * 1_000, { per: "whole" })] : []),
    ...(random.chance(0.6) ? [fee("deposit", Math.round(tuition / 50_000) * 10_000, { per: "whole" })] : []),
    ...(random.chance(0.4)
      ? [fee("accommodation", Math.round((least * 100) / 30_000) * 10_000, { audience: "all" })]
      : []),
  ];
}

const slugOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]+/g, "-");

function programmeOf(random: Random, institution: DemoInstitution, course: Course, now: Date): DemoProgramme {
  const { country, site } = institution;
  const today = calendarDate(now);
  const title = [course.award, course.title].filter((part) => part !== "").join(" ");
  const { months } = customs[country];
  const programme = checkProgramme(
    {
      title,
      level: course.level,
      field: course.field,
      award: course.award,
      months: country === "US" || country === "CA" ? longer(course.months) : course.months,
      mode: random.chance(0.85) ? "fullTime" : random.pick(["partTime", "blended"]),
      language: "en",
      url: `https://${site}/study/${slugOf(title)}`,
      // Some were not checked for a year, and a few for longer.
      checkedOn: calendarDate(
        daysBefore(now, random.chance(0.85) ? random.whole(2, 300) : random.whole(370, 640)),
      ),
      source: site,
      sourceId: slugOf(title),
      sample: true,
      intakes: intakesOf(random, months, today),
      fees: feesOf(random, course, country, Number(today.slice(0, 4)) + 1),
      requirementSets: entryRequirementsOf(random, course, country),
    },
    today,
  );
  if ("code" in programme) throw new Error(`${title}: ${programme.message}`);
  return { institution, entry: programme };
}

/** A first degree takes four years there, and a master's two. */
const longer = (months: number): number => (months >= 12 ? months + 12 : months);

/** Plans this many programmes: the first of each institution, then the second of each, and so on. */
export function planProgrammes(number: number, now: Date): DemoProgramme[] {
  const random = new Random("programmes");
  const rounds = Math.ceil(number / universities.length);
  const courseLists = universities.map((institution) => random.some(coursesOf(institution.fields), rounds));
  return Array.from({ length: number }, (_, place) => {
    const institution = at(universities, place);
    const courses = at(courseLists, place);
    return programmeOf(random, institution, at(courses, Math.floor(place / universities.length)), now);
  });
}
