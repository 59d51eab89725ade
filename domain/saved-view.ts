import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Most characters of a view's name; most views of one user, and most that admins share with everyone. */
export const savedViewLimits = { name: 60, views: 30 } as const;

/** Returns what is wrong with a view's name, or null. */
export const viewNameProblem = (name: string): Problem<"name"> | null =>
  name.trim() === ""
    ? wrong("name", "Please enter a name.")
    : tooLong("name", "The name", name.trim(), savedViewLimits.name);

/** Seconds for which the number of a view's students may be outdated, and the most that are counted. */
export const viewCount = { seconds: 30, most: 9999 } as const;
