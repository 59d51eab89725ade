import {
  auctionLimits,
  auctionTexts,
  type Category,
  type Grade,
  isCategory,
  isGrade,
  isSubcategoryOf,
} from "#domain/auction.ts";
import { type Delivery, deliveryLimits } from "#domain/delivery.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { amountMessages, type Cents, formatMoney, minStartingBid, parseAmount } from "#domain/money.ts";
import { nameProblem } from "#domain/single-line.ts";

/**
 * The upload form as it was filled in. `handover` (where to collect the item or how it is delivered), `collectionPlace`
 * and `courier` may be empty. `endDate` is null if it isn't a date; `images` is their number.
 */
export type ProductForm = {
  productName: string;
  description: string;
  startingBid: string;
  category: string;
  subcategory: string;
  grade: string;
  handover: string;
  collectionPlace: string;
  courier: string;
  endDate: Date | null;
  softClose: boolean;
  images: number;
};
export type ProductField = keyof ProductForm;

/** A checked product, as it is stored. */
export type NewProduct = {
  productName: string;
  description: string;
  startingBid: Cents;
  category: Category;
  subcategory: string;
  grade: Grade;
  handover: string;
  endDate: Date;
  softClose: boolean;
} & Delivery;

/** Parses a typed price of a courier. An empty text means no courier; a text that isn't a price gets a message. */
export function parseCourier(
  text: string,
): { kind: "courier"; courier: Cents | null } | { kind: "problem"; message: string } {
  if (text.trim() === "") return { kind: "courier", courier: null };
  const amount = parseAmount(text);
  if (amount.kind === "problem") return { kind: "problem", message: amountMessages[amount.problem] };
  if (amount.cents > deliveryLimits.courier)
    return { kind: "problem", message: `A courier can cost at most ${formatMoney(deliveryLimits.courier)}.` };
  return { kind: "courier", courier: amount.cents };
}

const wrong = (field: ProductField, message: string): Problem<ProductField> => ({
  code: "form/incomplete",
  message,
  field,
});

/** Returns the problem that is reported before all others: an empty field, then too few or too many pictures. */
function missing(form: ProductForm): Problem<ProductField> | null {
  const texts = ["productName", "description", "startingBid", "category", "subcategory", "grade"] as const;
  const empty =
    texts.find((field) => form[field].trim() === "") ?? (form.endDate === null ? "endDate" : null);
  if (empty) return wrong(empty, auctionTexts.incomplete);
  if (form.images === 0) return wrong("images", auctionTexts.noImage);
  return form.images > auctionLimits.images ? wrong("images", auctionTexts.tooManyImages) : null;
}

const longTexts = [
  ["productName", "Product name"],
  ["description", "Description"],
  ["handover", "Collection or delivery"],
  ["collectionPlace", "Place of collection"],
] as const;

function tooLong(form: ProductForm): Problem<ProductField> | null {
  for (const [field, label] of longTexts)
    if (form[field].trim().length > auctionLimits[field])
      return wrong(field, `${label} must be at most ${auctionLimits[field]} characters long.`);
  return null;
}

/** Checks the name, which appears in the subjects of emails to others. */
function invalidName(form: ProductForm): Problem<ProductField> | null {
  const problem = nameProblem(form.productName.trim(), "Product name");
  return problem === null ? null : wrong("productName", problem);
}

function startingBidOf(text: string): Cents | Problem<ProductField> {
  const amount = parseAmount(text);
  if (amount.kind === "problem") return wrong("startingBid", amountMessages[amount.problem]);
  if (amount.cents < minStartingBid)
    return wrong("startingBid", `The starting bid must be at least ${formatMoney(minStartingBid)}.`);
  return amount.cents;
}

/**
 * Returns the product to store, or the form's first problem, in its order. `now` is the server's time. `keptEnd` is the
 * current end of an edited product, which may stay however near it is.
 */
export function checkProduct(
  form: ProductForm,
  now: Date,
  keptEnd?: Date,
): NewProduct | Problem<ProductField> {
  const problem = missing(form) ?? tooLong(form) ?? invalidName(form);
  if (problem) return problem;
  const { category, subcategory, grade, endDate } = form;
  if (!isCategory(category)) return wrong("category", auctionTexts.incomplete);
  if (!isSubcategoryOf(category, subcategory)) return wrong("subcategory", auctionTexts.incomplete);
  if (!isGrade(grade)) return wrong("grade", auctionTexts.incomplete);
  const startingBid = startingBidOf(form.startingBid);
  if (typeof startingBid !== "number") return startingBid;
  const ahead = (endDate?.getTime() ?? 0) - now.getTime();
  const isKept = keptEnd !== undefined && endDate?.getTime() === keptEnd.getTime();
  if (!endDate || (!isKept && (ahead < auctionLimits.shortest || ahead > auctionLimits.longest)))
    return wrong("endDate", auctionTexts.endDate);
  const courier = parseCourier(form.courier);
  if (courier.kind === "problem") return wrong("courier", courier.message);
  return {
    productName: form.productName.trim(),
    description: form.description.trim(),
    startingBid,
    category,
    subcategory,
    grade,
    handover: form.handover.trim(),
    collectionPlace: form.collectionPlace.trim(),
    courier: courier.courier,
    endDate,
    softClose: form.softClose,
  };
}
