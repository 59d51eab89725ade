import { deliveryLimits } from "#domain/delivery.ts";

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

/** Longest texts in characters, most pictures of a product, and milliseconds from now to the end date. */
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
  /** Milliseconds before the end in which only an admin may remove a product with bids. */
  lastHours: 12 * hour,
} as const;

/** The version of /auction-rules that new items are listed under. 2 has limits, soft closes and open books. */
export const auctionRules = 2;

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
