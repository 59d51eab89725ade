import { limits } from "#domain/account.ts";
import {
  type ApplicationState,
  applicationStates,
  stateLabels,
  statesForAgent,
  statesForStudent,
} from "#domain/application.ts";
import { keysOf } from "#domain/keys-of.ts";

/** Filters of Manage Students: everybody's students, one's own, or those without an agent. */
export const studentFilters = ["all", "mine", "unassigned"] as const;
export type StudentFilter = (typeof studentFilters)[number];
/** Students can be filtered by these beside their agent: what waits with them, and the states of their applications. */
export const studentSituations = {
  documentsToReview: "Documents to review",
  forAgent: "Applications to work on",
  forStudent: "Answers and offers",
  noApplication: "No application yet",
  ...stateLabels,
};
export type StudentSituation = keyof typeof studentSituations;
export const studentSituationNames = keysOf(studentSituations);
export const isStudentSituation = (text: string): text is StudentSituation =>
  studentSituationNames.some((each) => each === text);

/**
 * Returns the states that a situation is about: a student in it has an application in one of them. Null when it isn't
 * about applications.
 */
export function statesIn(situation: StudentSituation): readonly ApplicationState[] | null {
  if (situation === "forAgent") return statesForAgent;
  if (situation === "forStudent") return statesForStudent;
  return applicationStates.some((state) => state === situation)
    ? applicationStates.filter((state) => state === situation)
    : null;
}

export const studentSorts = ["name", "email", "country"] as const;
export type StudentSort = (typeof studentSorts)[number];
export const sortDirections = ["ascending", "descending"] as const;
export type SortDirection = (typeof sortDirections)[number];

/** Longest text to search names for, in characters: a whole first and last name. */
export const studentSearchLimit = 2 * limits.name + 1;

/** Hours after which an application that waits for a university or an embassy is worth a look. */
export const idleAfterHours = 48;
/** Days for which an assigned student counts as new. */
export const newForDays = 7;

export const isStudentFilter = (text: string): text is StudentFilter =>
  studentFilters.some((filter) => filter === text);
export const isStudentSort = (text: string): text is StudentSort =>
  studentSorts.some((sort) => sort === text);

/** Words such as "1 student" and "12 students". */
export const numberOfStudents = (number: number): string =>
  number === 1 ? "1 student" : `${number} students`;
