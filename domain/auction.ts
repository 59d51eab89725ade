import { type Delivery, deliveryLimits, parseCourier } from "#domain/delivery.ts";
import type { Problem } from "#domain/error-catalogue.ts";
import { amountMessages, type Cents, formatMoney, minStartingBid, parseAmount } from "#domain/money.ts";
import { nameProblem } from "#domain/single-line.ts";

/** Categories with their subcategories (docs/product.md, "Listing an item"). */
export const subcategoriesOf = {
  electronics: ["Phones", "Laptops", "Accessories"],
  fashion: ["Clothing", "Shoes", "Accessories"],
  home: ["Furniture", "Appliances", "Decor"],
} as const;
export const categories = [
  "electronics",
  "fashion",
  "home",
] as const satisfies readonly (keyof typeof subcategoriesOf)[];
export type Category = (typeof categories)[number];
export const categoryLabels: Record<Category, string> = {
  electronics: "Electronics",
  fashion: "Fashion",
  home: "Home",
};

/** The kind of a product: a category and one of its subcategories. */
export type Kind = { category: Category; subcategory: string };
export const kinds: readonly Kind[] = categories.flatMap((category) =>
  subcategoriesOf[category].map((subcategory) => ({ category, subcategory })),
);

export const grades = ["New", "Grade A+", "Grade A", "Grade B", "Grade C"] as const;
export type Grade = (typeof grades)[number];

export const isCategory = (text: string): text is Category => categories.some((each) => each === text);
export const isGrade = (text: string): text is Grade => grades.some((each) => each === text);
export const isSubcategoryOf = (category: Category, text: string): boolean =>
  subcategoriesOf[category].some((each) => each === text);

/**
 * States of an auction. It stays `open` between its end date and its settlement a few seconds later, when it becomes
 * `sold` or `unsold`. `removed`: off sale, by one of `removers`.
 */
export const auctionStates = ["open", "sold", "unsold", "removed"] as const;
export type AuctionState = (typeof auctionStates)[number];
/** `withdrawn`: the seller's account was lost (docs/product.md, "Losing access"). */
export const removers = ["seller", "admin", "withdrawn"] as const;
export type Remover = (typeof removers)[number];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Longest texts in characters; pictures a product; milliseconds from now for the end date. */
export const auctionLimits = {
  productName: 120,
  description: 4000,
  handover: 120,
  collectionPlace: deliveryLimits.place,
  reason: 500,
  search: 80,
  images: 5,
  shortest: 10 * minute,
  longest: 90 * day,
  /** In the last 12 hours a product with bids is removed only by an admin. */
  lastHours: 12 * hour,
} as const;

/** The version of /auction-rules that items are listed under from now on. 2 has limits, soft closes and open books. */
export const auctionRules = 2;

/**
 * The upload form as it was filled in. `handover`, where to collect it or how it is delivered, may be empty, and so may
 * `collectionPlace` and `courier`. `endDate` is null when it is no date; `images` are counted only.
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

export const auctionTexts = {
  loginToUpload: "You must be logged in to upload a product.",
  incomplete: "Please fill in all fields.",
  noImage: "Please upload at least one image.",
  tooManyImages: `You can upload a maximum of ${auctionLimits.images} images.`,
  endDate: "The end date must be 10 minutes to 90 days from now.",
  picturesGone: "Please choose the pictures again.",
  uploaded: "Product uploaded successfully!",
  notFound: "Product not found!",
  deleted: "Product deleted successfully!",
  notDeleted: "Failed to delete product.",
  ended: "Auction Ended",
} as const;

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

/** The name stands in the subjects of mails to others. */
function nameOf(form: ProductForm): Problem<ProductField> | null {
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
 * The product as it is stored, or the first thing wrong with the form, in its order. `now` is the server's. `keptEnd` is
 * the end that an edited product has already, which may stay however near it is.
 */
export function checkProduct(
  form: ProductForm,
  now: Date,
  keptEnd?: Date,
): NewProduct | Problem<ProductField> {
  const problem = missing(form) ?? tooLong(form) ?? nameOf(form);
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
