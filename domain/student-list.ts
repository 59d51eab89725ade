import { limits } from "#domain/account.ts";
import {
  type ApplicationState,
  applicationStates,
  intakeName,
  stateLabels,
  statesForAgent,
  statesForStudent,
  studyCountries,
} from "#domain/application.ts";
import { countries, countryName } from "#domain/country.ts";
import { keysOf } from "#domain/keys-of.ts";

/** Filters of Manage Students: all students, the viewer's own, or those without an agent. */
export const studentFilters = ["all", "mine", "unassigned"] as const;
export type StudentFilter = (typeof studentFilters)[number];
/** Filters of students besides their agent: work that waits, and the states of their applications. */
export const studentSituations = {
  documentsToReview: "Documents to review",
  forAgent: "Applications to work on",
  forStudent: "Answers and offers",
  noApplication: "No application yet",
  ...stateLabels,
};
export type StudentSituation = keyof typeof studentSituations;
export const studentSituationNames = keysOf(studentSituations);

/**
 * Returns the states that a situation is about: a student in it has an application in one of them. Returns null if it
 * isn't about applications.
 */
export function statesIn(situation: StudentSituation): readonly ApplicationState[] | null {
  if (situation === "forAgent") return statesForAgent;
  if (situation === "forStudent") return statesForStudent;
  return applicationStates.some((state) => state === situation)
    ? applicationStates.filter((state) => state === situation)
    : null;
}

/** Filters by the state of all of a student's documents. */
const documentSituations = {
  toReview: "To review",
  rejected: "Rejected",
  missing: "Missing",
  approved: "All approved",
};
export const documentSituationNames = keysOf(documentSituations);

/** Days without a message after which a student counts as quiet. */
export const quietDays = 7;
/** Filters by what waits for the viewer's own students, for admins for all students. */
const waitingSituations = {
  overdue: "Overdue",
  messages: "Messages to answer",
  quiet: `Nobody wrote for ${quietDays} days`,
};
export type WaitingSituation = keyof typeof waitingSituations;
export const waitingNames = keysOf(waitingSituations);

/** Days before its deadline at which a deposit counts as due. */
export const depositDueDays = 7;
/** Filters by the unpaid deposits of the viewer's own students, for admins of all students. */
const depositSituations = {
  dueOrOverdue: `Due in ${depositDueDays} days, or overdue`,
  overdue: "Overdue",
};
export type DepositSituation = keyof typeof depositSituations;
export const depositSituationNames = keysOf(depositSituations);

const namesOf = (codes: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(codes.map((code) => [code, countryName(code)]));

/** Years of intakes to filter by. */
const yearsOfIntake: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [String(2024 + at), String(2024 + at)]),
);

/**
 * Filters of Manage Students that have choices, in the order of the screen: each with its label, its label while
 * nothing is chosen, and the labels of its choices.
 */
export const studentFacets = {
  situation: { label: "Students with", any: "Any applications and documents", choices: studentSituations },
  waiting: { label: "Waiting", any: "Waiting or not", choices: waitingSituations },
  deposit: { label: "Deposit", any: "Any deposit", choices: depositSituations },
  intake: { label: "Intake", any: "Any intake", choices: intakeName },
  year: { label: "Intake year", any: "Any year", choices: yearsOfIntake },
  destination: { label: "Study country", any: "Any study country", choices: namesOf(studyCountries) },
  documents: { label: "Documents", any: "Any documents", choices: documentSituations },
  country: { label: "Home country", any: "Any home country", choices: namesOf(countries) },
} as const satisfies Record<
  string,
  { label: string; any: string; choices: Readonly<Record<string, string>> }
>;
export type StudentFacet = keyof typeof studentFacets;
export const studentFacetNames = keysOf(studentFacets);

/** Whether a text is one of a filter's choices. */
export const isChoice = (facet: StudentFacet, text: string): boolean =>
  Object.hasOwn(studentFacets[facet].choices, text);

/** Optional columns of Manage Students, with their headings. The name and the actions are always shown. */
export const studentColumns = {
  email: "Email",
  phone: "Phone",
  country: "Country",
  applications: "Applications",
  documents: "Documents",
  progress: "Progress",
  deposit: "Deposit",
};
export type StudentColumn = keyof typeof studentColumns;
export const studentColumnNames = keysOf(studentColumns);
export const usualColumns: readonly StudentColumn[] = ["email", "phone", "country"];

/** Parses an address's columns, joined by commas, into the order of the table; the usual ones if there are none. */
export function columnsIn(text: string): readonly StudentColumn[] {
  const names = text.split(",");
  const columns = studentColumnNames.filter((column) => names.includes(column));
  return columns.length === 0 ? usualColumns : columns;
}

export const studentSorts = ["name", "email", "country"] as const;
export type StudentSort = (typeof studentSorts)[number];
export const sortDirections = ["ascending", "descending"] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Most characters of a search for names: a whole first and last name. */
export const studentSearchLimit = 2 * limits.name + 1;

/** Hours after which staff should check an application that waits for a university or an embassy. */
export const idleAfterHours = 48;
/** Days for which an assigned student counts as new. */
export const newForDays = 7;

export const isStudentFilter = (text: string): text is StudentFilter =>
  studentFilters.some((filter) => filter === text);
export const isStudentSort = (text: string): text is StudentSort =>
  studentSorts.some((sort) => sort === text);

/** Formats a number as "1 student" or "12 students". */
export const numberOfStudents = (number: number): string =>
  number === 1 ? "1 student" : `${number} students`;
