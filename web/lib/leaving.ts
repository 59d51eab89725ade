import { formatDate } from "./format-date.ts";

/** Adds to an account's status when it is erased, if its holder asked for that: "Leaving, erased on 30 Nov 2026". */
export const withErasure = (status: string, erasedOn: Date | null): string =>
  erasedOn === null ? status : `${status}, erased on ${formatDate(erasedOn)}`;
