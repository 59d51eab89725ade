import { type DocumentKind, type DocumentState, documentKinds } from "#domain/document.ts";
import type { Profile, ProfileField } from "#domain/profile.ts";

/** The twelve fields that make a profile complete. */
export const progressFields = [
  "firstName",
  "lastName",
  "dateOfBirth",
  "citizenship",
  "gender",
  "email",
  "phoneNumber",
  "addressLine1",
  "city",
  "state",
  "postalCode",
  "country",
] as const satisfies readonly ProfileField[];
export type ProgressField = (typeof progressFields)[number];

/** States of the documents in the six slots; empty slots may be left out. */
export type Slots = Readonly<Partial<Record<DocumentKind, DocumentState>>>;
/** Whole percentages from 0 to 100. */
export type Progress = { overall: number; profile: number; documents: number };

const percentage = (part: number, whole: number): number => Math.round((part / whole) * 100);

/** Lists the empty ones of the twelve fields, in the form's order. */
export const missingFields = (profile: Pick<Profile, ProgressField>): ProgressField[] =>
  progressFields.filter((field) => profile[field].trim() === "");

/** Whether a document counts as uploaded. A rejected one counts as missing until it is replaced. */
export const countsAsUploaded = (state: DocumentState | null | undefined): boolean =>
  state === "uploaded" || state === "approved";

/** Returns the slots that are empty or rejected. */
export const missingDocuments = (slots: Slots): DocumentKind[] =>
  documentKinds.filter((kind) => !countsAsUploaded(slots[kind]));

/**
 * Computes a student's progress. The two percentages are rounded to whole ones, and `overall` is the rounded average of
 * the rounded ones, as they are shown.
 */
export function progressOf(profile: Pick<Profile, ProgressField>, slots: Slots): Progress {
  const filledFields = progressFields.length - missingFields(profile).length;
  const uploaded = documentKinds.length - missingDocuments(slots).length;
  const ofProfile = percentage(filledFields, progressFields.length);
  const ofDocuments = percentage(uploaded, documentKinds.length);
  return {
    overall: Math.round((ofProfile + ofDocuments) / 2),
    profile: ofProfile,
    documents: ofDocuments,
  };
}

/** The colour of a progress bar: green from 80, orange from 60, amber from 40, red below. */
export type BarColour = "green" | "orange" | "amber" | "red";

export function barColour(percentage: number): BarColour {
  if (percentage >= 80) return "green";
  if (percentage >= 60) return "orange";
  return percentage >= 40 ? "amber" : "red";
}
