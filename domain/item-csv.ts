import { type Category, categories, categoryLabels, grades, subcategoriesOf } from "#domain/auction.ts";
import { isCalendarDate } from "#domain/calendar-date.ts";
import { instantOf } from "#domain/local-time.ts";
import { type ProductForm } from "#domain/product-check.ts";

/** Most rows of a CSV file of items. */
export const itemCsvLimit = 50;

/** The columns of a CSV file of items, by the field that each fills; `pictures` names picture files. */
export const itemColumns = {
  productName: "Product name",
  description: "Description",
  category: "Category",
  subcategory: "Subcategory",
  grade: "Grade",
  startingBid: "Starting bid",
  endDate: "End date",
  handover: "Collection or delivery",
  collectionPlace: "Collection in",
  courier: "Courier",
  pictures: "Pictures",
  softClose: "Late bids extend it",
} as const;
type ItemColumn = keyof typeof itemColumns;
const optional: ReadonlySet<string> = new Set(["handover", "collectionPlace", "courier", "softClose"]);

/** Returns the required headings that a file lacks. */
export const missingHeadings = (headings: readonly string[]): string[] => {
  const presentHeadings = new Set(headings.map((heading) => heading.toLowerCase()));
  return Object.entries(itemColumns)
    .filter(([column, heading]) => !optional.has(column) && !presentHeadings.has(heading.toLowerCase()))
    .map(([, heading]) => heading);
};

/** An item as a row describes it; `pictures` are names of files. `softClose` is null for neither yes nor no. */
export type ItemRow = Omit<ProductForm, "images" | "softClose"> & {
  softClose: boolean | null;
  pictures: string[];
};

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns the stored spelling of a choice, or the text itself if it isn't a choice. */
const spellingOf = (text: string, choices: readonly string[]): string =>
  choices.find((choice) => sameText(choice, text)) ?? text;

const categoryOf = (text: string): Category | undefined =>
  categories.find((each) => sameText(each, text) || sameText(categoryLabels[each], text));

const gradeOf = (text: string): string =>
  spellingOf(/^[abc]\+?$/i.test(text) ? `Grade ${text}` : text, grades);

/** Parses a local time in a zone, such as 2027-03-01 18:00. Returns null for anything else. */
export function localEnd(text: string, zone: string): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ]([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(text);
  const [, date, hour, minutes] = match ?? [];
  if (date === undefined || hour === undefined || !isCalendarDate(date)) return null;
  return instantOf(zone, { date, time: `${hour.padStart(2, "0")}:${minutes}` });
}

/** Parses whether late bids extend an auction, which they do by default. Returns null for neither yes nor no. */
function softCloseOf(text: string): boolean | null {
  if (text === "" || sameText(text, "yes")) return true;
  return sameText(text, "no") ? false : null;
}

/** Parses a row of a file of items by its headings, with times in `zone`. Its values are checked when it is listed. */
export function readItemRow(headings: readonly string[], cells: readonly string[], zone: string): ItemRow {
  const cell = (column: ItemColumn): string => {
    const at = headings.findIndex((heading) => sameText(heading, itemColumns[column]));
    return (cells[at] ?? "").trim();
  };
  const category = categoryOf(cell("category"));
  return {
    productName: cell("productName"),
    description: cell("description"),
    category: category ?? cell("category"),
    subcategory: spellingOf(cell("subcategory"), category ? subcategoriesOf[category] : []),
    grade: gradeOf(cell("grade")),
    startingBid: cell("startingBid"),
    endDate: localEnd(cell("endDate"), zone),
    handover: cell("handover"),
    collectionPlace: cell("collectionPlace"),
    courier: cell("courier"),
    softClose: softCloseOf(cell("softClose")),
    pictures: cell("pictures")
      .split(/[;|]/)
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  };
}

/**
 * Returns what is wrong with the names of a row's pictures, or null. `chosenFiles` are the files chosen with the CSV
 * file, in lower case; `used` has the row of each picture in use, since a picture belongs to one item.
 */
export function picturesProblem(
  names: readonly string[],
  chosenFiles: ReadonlySet<string>,
  used: ReadonlyMap<string, number>,
): string | null {
  const lower = names.map((name) => name.toLowerCase());
  for (const [at, name] of names.entries()) {
    const key = lower[at] ?? "";
    if (!chosenFiles.has(key)) return `There is no picture called ${name} among the files you chose.`;
    if (lower.indexOf(key) !== at) return `The picture ${name} is named twice.`;
    if (used.has(key)) return `The picture ${name} is in row ${used.get(key)} already.`;
  }
  return null;
}
