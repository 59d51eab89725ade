/** Characters by which spreadsheets recognise a formula, after any quotation marks. */
const formula = `['"]*[=+\\-@＝＋－＠]`;

/**
 * Matches where a formula could begin: at the start of a cell, and after each character that ends a cell in
 * spreadsheets of some countries, even between quotation marks.
 */
const startsOf = (guard: string): RegExp =>
  new RegExp(`^${guard}(?=['"]*[\\t\\r\\n])|(?<=^|[;\\t\\r\\n])${guard}(?=${formula})`, "g");

const [unguarded, guarded] = [startsOf(""), startsOf("'")];

/** Puts an apostrophe before each part of a cell that a spreadsheet could treat as a formula. */
export const guardFormulas = (cell: string): string => cell.replaceAll(unguarded, "'");

/** Removes the apostrophes that `guardFormulas` puts into a cell. */
export const withoutGuards = (cell: string): string => cell.replaceAll(guarded, "");
