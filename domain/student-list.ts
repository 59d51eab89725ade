import { limits } from "#domain/account.ts";

/** Whose students Manage Students shows: one's own, nobody's, or everybody's. */
export const studentFilters = ["all", "mine", "unassigned"] as const;
export type StudentFilter = (typeof studentFilters)[number];
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
