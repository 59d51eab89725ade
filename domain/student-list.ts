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
export const studentsPerPage = 50;
/** Agents that one search for somebody to assign shows. */
export const agentsPerSearch = 20;

/** Where an agent finds one of their students, with the row open; `show` opens what there is to do. */
export const studentPath = ({ id, name }: { id: string; name: string }, show?: "applications"): string =>
  `/manage-students?${new URLSearchParams({ filter: "mine", search: name, student: id, ...(show && { show }) }).toString()}`;

/** Hours after which an application that waits for a university or an embassy is worth a look. */
export const idleAfterHours = 48;
/** Days for which an assigned student counts as new. */
export const newForDays = 7;
/** Most entries of each kind on the agent dashboard's lists, at first and when all are asked for. */
export const waitingLimit = { first: 10, all: 500 } as const;

export const isStudentFilter = (text: string): text is StudentFilter =>
  studentFilters.some((filter) => filter === text);
export const isStudentSort = (text: string): text is StudentSort =>
  studentSorts.some((sort) => sort === text);
