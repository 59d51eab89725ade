import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Most rows of a file, characters of a purpose, and bytes of an imported file of students. */
export const exportLimits = { rows: 50_000, purpose: 300, importBytes: 2 * 1024 * 1024 } as const;

/** Returns what is wrong with the purpose of an export of identity details, or null. The students read it. */
export const purposeProblem = (purpose: string): Problem<"purpose"> | null =>
  purpose.trim() === ""
    ? wrong("purpose", "Please say what the identity details are for. The students will see it.")
    : tooLong("purpose", "The purpose", purpose.trim(), exportLimits.purpose);
