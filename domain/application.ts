import type { Problem } from "#domain/error-catalogue.ts";
import { keysOf } from "#domain/keys-of.ts";

/** The choices of the application form. */
export const studyLevels = [
  "Postgraduate",
  "Undergraduate",
  "Foundation",
  "Pre-Sessional",
  "English Language",
] as const;
export type StudyLevel = (typeof studyLevels)[number];

/** ISO 3166-1 codes, in the order of the countries' names. */
export const studyCountries = ["CA", "IE", "AE", "GB", "US"] as const;
export type StudyCountry = (typeof studyCountries)[number];

/** Choices of the application form under Countries. */
export const countryChoices = ["All", ...studyCountries] as const;
export type CountryChoice = "All" | StudyCountry;

/**
 * Returns the choices after one box was clicked: choosing All selects every country, unchecking All clears them, and a
 * click on an individual country removes All.
 */
export function chooseCountry(choices: readonly CountryChoice[], clicked: CountryChoice): CountryChoice[] {
  if (clicked === "All") return choices.includes("All") ? [] : [...countryChoices];
  return studyCountries.filter((country) => (country === clicked) !== choices.includes(country));
}

export const intakes = [
  "Fall Intake (August or September)",
  "Spring Intake (January)",
  "Summer Intake (May or June)",
] as const;
export type Intake = (typeof intakes)[number];
export const isIntake = (text: string): text is Intake => intakes.some((intake) => intake === text);
/** An intake without its months, as it is shown beside a programme. */
export const intakeName: Record<Intake, string> = {
  "Fall Intake (August or September)": "Fall Intake",
  "Spring Intake (January)": "Spring Intake",
  "Summer Intake (May or June)": "Summer Intake",
};

/** Labels of the pipeline's states. */
export const stateLabels = {
  submitted: "Submitted",
  inReview: "In review",
  informationRequired: "Information required",
  sentToUniversity: "Sent to university",
  conditionalOffer: "Conditional offer",
  unconditionalOffer: "Unconditional offer",
  accepted: "Accepted",
  visa: "Visa",
  enrolled: "Enrolled",
  rejected: "Rejected",
  withdrawn: "Withdrawn",
  deferred: "Deferred",
};
export type ApplicationState = keyof typeof stateLabels;
export const applicationStates = keysOf(stateLabels);

/** States in which the next step is the student's. */
export const statesForStudent = [
  "informationRequired",
  "unconditionalOffer",
] as const satisfies readonly ApplicationState[];

/** States in which the next step is the agent's. Otherwise it is a university's or an embassy's, or there is none. */
export const statesForAgent = [
  "submitted",
  "inReview",
  "accepted",
] as const satisfies readonly ApplicationState[];

/** Longest texts in characters, and how many applications one student may have. */
export const applicationLimits = {
  program: 120,
  university: 120,
  firstYear: 2020,
  lastYear: 2099,
  additionalInfo: 2000,
  note: 1000,
  perStudent: 100,
} as const;

/** The form as it was filled in; `country` may hold All. */
export type ApplicationForm = {
  program: string;
  highestStudyLevel: string;
  country: readonly string[];
  startDate: string;
  additionalInfo: string;
  university?: string;
  /** The intake's year as four digits, or empty. */
  year?: string;
};
export type ApplicationField = keyof ApplicationForm;

/** A checked application, as it is stored. */
export type NewApplication = {
  program: string;
  highestStudyLevel: StudyLevel;
  countries: StudyCountry[];
  startDate: Intake;
  additionalInfo: string;
  /** Empty if not given. */
  university: string;
  /** The year in which the intake begins; null if not given. */
  year: number | null;
};

export const openAlready: Problem<ApplicationField> = {
  code: "already-exists",
  message: "You already have an open application for this programme and intake.",
  field: "program",
};
export const tooManyApplications: Problem<ApplicationField> = {
  code: "resource-exhausted",
  message: `You can have at most ${applicationLimits.perStudent} applications.`,
};

/** Returns the years that the form offers for an intake: the current one and the next five. */
export const intakeYears = (now: Date): number[] =>
  Array.from({ length: 6 }, (_, ahead) => now.getUTCFullYear() + ahead);
