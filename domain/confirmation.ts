import type { Intake } from "#domain/application.ts";
import type { NamedApplication } from "#domain/application-notification.ts";
import type { DocumentKind } from "#domain/document.ts";

/**
 * One version of a document, or of a paper that the student sent on request and staff accepted. `sha256` is of its
 * bytes, and null for files that were stored before hashes were introduced.
 */
export type ListedDocument = { id: string; sha256: string | null } & (
  | { kind: DocumentKind }
  | { kind: "other"; name: string }
);

/** Everything that is sent to a university in a student's name. */
export type FrozenList = NamedApplication & {
  startDate: Intake;
  documents: readonly ListedDocument[];
};

/**
 * Returns the list as one text, which is equal only for equal lists: the order of documents does not count, their
 * versions do. A student confirms its hash.
 */
export const listText = ({ program, university, startDate, year, documents }: FrozenList): string =>
  JSON.stringify([
    program,
    university,
    startDate,
    year,
    documents
      .map((each) => [each.kind, each.id, each.sha256, ...(each.kind === "other" ? [each.name] : [])])
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
  ]);

/**
 * Progress of a student's confirmation. `outdated`: the list has changed since they were asked or confirmed. Once the
 * application is `sent`, the list is the one that was sent to the university.
 */
export const confirmationStates = ["none", "asked", "confirmed", "outdated", "sent"] as const;
export type ConfirmationState = (typeof confirmationStates)[number];

/** The latest request for a confirmation, with the hash of its list. */
export type StoredConfirmation = { hash: string; confirmedAt: Date | null };

/** Returns whether the list with this `hash` is confirmed ("Before it is sent"). */
export function confirmationState(
  latest: StoredConfirmation | null,
  hash: string,
): Exclude<ConfirmationState, "sent"> {
  if (latest === null) return "none";
  if (latest.hash !== hash) return "outdated";
  return latest.confirmedAt === null ? "asked" : "confirmed";
}
