import type { StudyCountry, StudyLevel } from "#domain/application.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import type { Currency } from "#domain/currency.ts";
import { keysOf } from "#domain/keys-of.ts";
import { wrong } from "#domain/problem.ts";
import type { RequirementSet } from "#domain/requirement.ts";

/** Longest texts in characters, and other limits of one programme. */
export const programmeLimits = {
  /** The application form accepts no longer programme or university. */
  title: 120,
  institution: 120,
  place: 80,
  award: 60,
  source: 120,
  sourceId: 120,
  url: 2000,
  months: 96,
  intakes: 24,
  fees: 20,
  firstYear: 2020,
  lastYear: 2099,
  /** In the smallest unit of a currency. */
  fee: 1_000_000_000_000,
  compared: 4,
} as const;

/** Fields of study: the broad fields of ISCED-F 2013. */
export const studyFieldLabels = {
  education: "Education",
  arts: "Arts and humanities",
  social: "Social sciences, journalism and information",
  business: "Business, administration and law",
  sciences: "Natural sciences, mathematics and statistics",
  computing: "Computing",
  engineering: "Engineering, manufacturing and construction",
  agriculture: "Agriculture, forestry, fisheries and veterinary",
  health: "Health and welfare",
  services: "Services",
};
export type StudyField = keyof typeof studyFieldLabels;
export const studyFields = keysOf(studyFieldLabels);

export const studyModeLabels = {
  fullTime: "Full-time",
  partTime: "Part-time",
  online: "Online",
  blended: "Partly online",
};
export type StudyMode = keyof typeof studyModeLabels;
export const studyModes = keysOf(studyModeLabels);

/** Languages that programmes are taught in, by ISO 639-1 code. */
export const teachingLanguageLabels = {
  en: "English",
  ar: "Arabic",
  fr: "French",
  ga: "Irish",
  es: "Spanish",
  de: "German",
};
export type TeachingLanguage = keyof typeof teachingLanguageLabels;
export const teachingLanguages = keysOf(teachingLanguageLabels);

const intakeStateLabels = { open: "Open", notYet: "Not open yet", closed: "Closed", full: "Full" };
export type IntakeState = keyof typeof intakeStateLabels;
export const intakeStates = keysOf(intakeStateLabels);

/** Labels of the deadlines of an intake, in chronological order. */
export const intakeDeadlineLabels = {
  applyBy: "Apply by",
  documentsBy: "Documents by",
  depositBy: "Deposit by",
  visaPapersBy: "Visa papers by",
};
export type IntakeDeadlineKind = keyof typeof intakeDeadlineLabels;
export const intakeDeadlineKinds = keysOf(intakeDeadlineLabels);

export const feeKindLabels = {
  tuition: "Tuition",
  application: "Application fee",
  deposit: "Deposit",
  accommodation: "Accommodation",
  other: "Other costs",
};
export type FeeKind = keyof typeof feeKindLabels;
export const feeKinds = keysOf(feeKindLabels);

/** Periods of fees: a year, or the whole programme. */
export const feePeriods = ["year", "whole"] as const;
export type FeePeriod = (typeof feePeriods)[number];

export const feeAudienceLabels = {
  international: "International students",
  home: "Home students",
  all: "All students",
};
export type FeeAudience = keyof typeof feeAudienceLabels;
export const feeAudiences = keysOf(feeAudienceLabels);

/**
 * A deadline of an intake, in its institution's zone. `group` names the group of nationalities that it is for; null for
 * everyone whose groups have none. Nothing is accepted after a hard one.
 */
export type IntakeDeadline = {
  kind: IntakeDeadlineKind;
  group: string | null;
  /** YYYY-MM-DD. */
  date: string;
  /** HH:MM, or null for the end of the day. */
  time: string | null;
  hard: boolean;
};

/** A start of a programme, in a month (1 to 12) of a year. */
export type IntakeEntry = {
  year: number;
  month: number;
  state: IntakeState;
  deadlines: readonly IntakeDeadline[];
};

/** A fee as it is published. `academicYear` is the year in which the academic year begins. */
export type Fee = {
  kind: FeeKind;
  /** In the currency's smallest unit. */
  amount: number;
  currency: Currency;
  per: FeePeriod;
  academicYear: number;
  audience: FeeAudience;
};

/**
 * All facts about a programme that staff or an import enter. Forms, imports, exports and undo exchange entries, so two
 * equal entries are the same programme.
 */
export type ProgrammeEntry = {
  title: string;
  level: StudyLevel;
  field: StudyField;
  /** The university's own name for the award, such as "MSc". */
  award: string;
  /** Duration in months; null if it isn't known. */
  months: number | null;
  mode: StudyMode;
  language: TeachingLanguage;
  /** http or https. */
  url: string;
  /** The day on which it was last compared with the university's own information, as YYYY-MM-DD. */
  checkedOn: string;
  /** The source of its facts, such as "leeds.ac.uk". Imports identify their programmes by `source` and `sourceId`. */
  source: string;
  /** Null for a programme that was entered by hand. */
  sourceId: string | null;
  /** Whether it is an invented example. */
  sample: boolean;
  intakes: readonly IntakeEntry[];
  fees: readonly Fee[];
  requirementSets: readonly RequirementSet[];
};

/** An institution. Its deadlines are in `zone`, an IANA name. */
export type InstitutionEntry = {
  name: string;
  country: StudyCountry;
  /** The place of its main campus, such as "Leeds"; empty if it isn't known. */
  place: string;
  zone: string;
  /** http or https; empty if it isn't known. */
  website: string;
};

const inOrder =
  <Row>(key: (row: Row) => string) =>
  (one: Row, other: Row): number =>
    key(one) < key(other) ? -1 : 1;

/** Sorts deadlines into the order of entries. */
export const sortedDeadlines = (deadlines: readonly IntakeDeadline[]): IntakeDeadline[] =>
  deadlines.toSorted(inOrder(({ kind, group }) => `${intakeDeadlineKinds.indexOf(kind)} ${group ?? ""}`));

/** Sorts fees into the order of entries. */
export const sortedFees = (fees: readonly Fee[]): Fee[] =>
  fees.toSorted(
    inOrder(
      ({ kind, academicYear, audience, per }) =>
        `${feeKinds.indexOf(kind)} ${academicYear} ${feeAudiences.indexOf(audience)} ${per}`,
    ),
  );

/** Returns the month of an intake as YYYY-MM, for filters and addresses. */
export const startMonth = ({ year, month }: Pick<IntakeEntry, "year" | "month">): string =>
  `${year}-${String(month).padStart(2, "0")}`;

/** Returns the first day of an intake's month, on which ages and test results have to meet requirements. */
export const startDay = (intake: Pick<IntakeEntry, "year" | "month">): string => `${startMonth(intake)}-01`;

/** Whether an intake takes applications now or later, apart from its deadlines. */
export const isUpcoming = (
  { state, ...intake }: Pick<IntakeEntry, "year" | "month" | "state">,
  today: string,
) => (state === "open" || state === "notYet") && startDay(intake) > today;

/** Months since the last check after which a page mentions it, and after which lists show the programme last. */
export const uncheckedMonths = { said: 12, below: 18 } as const;

/**
 * Returns the tuition that a list shows: a year's, or else the one for the whole programme; of the latest year, for
 * international students.
 */
export function listedTuition(fees: readonly Fee[]): Fee | null {
  const tuition = fees.filter(({ kind, audience }) => kind === "tuition" && audience !== "home");
  const yearly = tuition.filter(({ per }) => per === "year");
  const order = (fee: Fee) => fee.academicYear * 2 + (fee.audience === "international" ? 1 : 0);
  return (
    (yearly.length > 0 ? yearly : tuition).toSorted((one, other) => order(other) - order(one))[0] ?? null
  );
}

const isYear = (year: number) =>
  Number.isInteger(year) && year >= programmeLimits.firstYear && year <= programmeLimits.lastYear;

/** Returns what is wrong with the intakes, or null. */
export function intakesProblem(intakes: readonly IntakeEntry[]) {
  if (intakes.length > programmeLimits.intakes)
    return wrong("intakes", `A programme can have at most ${programmeLimits.intakes} intakes.`);
  const starts = new Set<string>();
  for (const intake of intakes) {
    if (!isYear(intake.year)) return wrong("intakes", "Please enter the year of each intake.");
    if (!Number.isInteger(intake.month) || intake.month < 1 || intake.month > 12)
      return wrong("intakes", "Please enter the month of each intake.");
    const start = startDay(intake);
    if (starts.has(start)) return wrong("intakes", "Two intakes start in the same month.");
    starts.add(start);
    const kinds = intake.deadlines.map(({ kind, group }) => `${kind} ${group ?? ""}`);
    if (new Set(kinds).size < kinds.length)
      return wrong("intakes", "An intake has two deadlines of one kind for the same people.");
    for (const { date, time } of intake.deadlines) {
      if (!isCalendarDate(date)) return wrong("intakes", "Please enter the date of each deadline.");
      if (time !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
        return wrong("intakes", "Please enter the time of a deadline such as 17:00.");
    }
  }
  return null;
}
