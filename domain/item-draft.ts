import { auctionLimits } from "#domain/auction.ts";

/** Most drafts of one user; days after which an unchanged one is deleted. */
export const draftLimits = { drafts: 50, days: 90 } as const;

/**
 * The upload form's texts as they are stored. `endDate` is ISO 8601 in UTC, or empty; `softClose` is "off" if the end
 * is fixed.
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

/** The longest text of each field. Nothing else about a draft is checked. */
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

/** Reads a stored or sent draft field by field. Missing fields are empty, and longer texts are cut. */
export function readDraft(values: Readonly<Partial<Record<string, unknown>>>): DraftForm {
  const form = { ...emptyDraft };
  for (const field of draftFields) {
    const value = values[field];
    // Half a character can't be stored.
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
