import { type DocumentKind, documentKinds } from "#domain/document.ts";
import { missingDocuments, type Slots } from "#domain/progress.ts";

/**
 * The slots for several files that are chosen in one go, in the order of the slots: missing ones first, then those
 * that would be replaced. Files beyond the six get none.
 */
export function slotsFor(files: number, slots: Slots): DocumentKind[] {
  const missing = missingDocuments(slots);
  return [...missing, ...documentKinds.filter((kind) => !missing.includes(kind))].slice(0, files);
}
