import { auctionLimits } from "#domain/auction.ts";

/** Drafts that one person may have; days after which an untouched one is deleted. */
export const draftLimits = { drafts: 50, days: 90 } as const;

/**
 * The upload form's texts as they are kept. `endDate` is ISO 8601 in UTC, or empty; `softClose` is "off" where the end is
 * fixed.
 */
export const draftFields = [
  "productName",
  "description",
  "startingBid",
  "category",
  "subcategory",
  "grade",
  "handover",
  "collectionPlace",
  "courier",
  "endDate",
  "softClose",
] as const;
export type DraftField = (typeof draftFields)[number];
export type DraftForm = Record<DraftField, string>;

export const emptyDraft: DraftForm = {
  productName: "",
  description: "",
  startingBid: "",
  category: "",
  subcategory: "",
  grade: "",
  handover: "",
  collectionPlace: "",
  courier: "",
  endDate: "",
  softClose: "",
};

/** The longest text of each field. A draft may be wrong in every other way. */
const longest: Record<DraftField, number> = {
  productName: auctionLimits.productName,
  description: auctionLimits.description,
  startingBid: 40,
  category: 40,
  subcategory: 40,
  grade: 40,
  handover: auctionLimits.handover,
  collectionPlace: auctionLimits.collectionPlace,
  courier: 40,
  endDate: 40,
  softClose: 3,
};

/** Reads a stored or sent draft field by field: what is missing is empty, and longer texts are cut. */
export function readDraft(values: Readonly<Partial<Record<string, unknown>>>): DraftForm {
  const form = { ...emptyDraft };
  for (const field of draftFields) {
    const value = values[field];
    // A character that is cut in half can't be stored.
    if (typeof value === "string") form[field] = value.slice(0, longest[field]).toWellFormed();
  }
  return form;
}

/** Whether a draft has neither text nor pictures. */
export const isEmptyDraft = (form: DraftForm, pictures: number): boolean =>
  pictures === 0 && draftFields.every((field) => form[field].trim() === "");

export const draftTexts = {
  saved: "Draft saved.",
  deleted: "Draft deleted.",
  empty: "There is nothing to save yet.",
  tooMany: `You can keep ${draftLimits.drafts} drafts. Please delete one first.`,
} as const;
