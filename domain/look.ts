import type { AuditAction } from "#domain/audit.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { tooLong, wrong } from "#domain/problem.ts";

/** Actions of the audit log in which a user sees a student's identity details or files. */
export const lookActions = [
  "identity-viewed",
  "document-viewed",
  "document-downloaded",
  "message-file-viewed",
  "message-file-downloaded",
] as const satisfies readonly AuditAction[];

/** Rights that entitle staff to see a student's papers. Only an admin has to give a reason. */
export const lookRights = ["agent", "admin"] as const;
export type ViewRight = (typeof lookRights)[number];

/** Most characters of the reason that an admin gives. */
export const lookReasonLimit = 300;
/** Milliseconds for which a reason is valid, for one student and session. */
export const lookReasonLasts = 30 * 60_000;

/** Returns what is wrong with a reason, or null. The student reads it, so it can't be empty. */
export const lookReasonProblem = (reason: string): Problem<"reason"> | null =>
  reason.trim() === ""
    ? wrong("reason", "Please give a reason. The student will see it.")
    : tooLong("reason", "The reason", reason, lookReasonLimit);

/** Most milliseconds between two looks of a user in one row. */
export const viewPause = 30 * 60_000;

/** The part of a look by which looks are grouped: its time, and the id of the user who looked. */
export type TimedLook = { at: Date; by: string };

/**
 * Groups the looks of each user that are at most half an hour apart. The given looks, the returned rows and the looks
 * within each row are newest first.
 */
export function groupLooks<Look extends TimedLook>(looks: readonly Look[]): Look[][] {
  const rows: Look[][] = [];
  const latest = new Map<string, Look[]>();
  for (const look of looks) {
    const row = latest.get(look.by);
    const next = row?.at(-1);
    if (row && next && next.at.getTime() - look.at.getTime() <= viewPause) row.push(look);
    else {
      const newRow = [look];
      rows.push(newRow);
      latest.set(look.by, newRow);
    }
  }
  return rows;
}

/**
 * Returns the first rows of a list of looks, newest first, and the number of looks in them: at least `least` rows, and
 * so many that no row is split. A page ends where nobody looked for longer than a pause. `isWhole`: no older looks
 * follow. Returns null if older looks are needed to find the end of the page.
 */
export function pageOfLooks<Look extends TimedLook>(
  looks: readonly Look[],
  least: number,
  isWhole: boolean,
): { rows: Look[][]; count: number } | null {
  const rows: Look[][] = [];
  let begin = 0;
  for (const [index, look] of looks.entries()) {
    const older = looks[index + 1];
    const isEnd = older ? look.at.getTime() - older.at.getTime() > viewPause : isWhole;
    if (!isEnd) continue;
    rows.push(...groupLooks(looks.slice(begin, index + 1)));
    begin = index + 1;
    if (rows.length >= least || !older) return { rows, count: begin };
  }
  return looks.length === 0 && isWhole ? { rows, count: 0 } : null;
}
