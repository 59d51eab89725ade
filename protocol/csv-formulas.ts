/** Signs by which spreadsheets take a text for a formula, after any quotation marks. */
const formula = `['"]*[=+\\-@＝＋－＠]`;

/**
 * Matches where a formula could begin: at the start of a cell, and after each character by which spreadsheets of some
 * countries end a cell, even where we put it between quotation marks.
 */
const startsOf = (guard: string): RegExp =>
  new RegExp(`^${guard}(?=['"]*[\\t\\r\\n])|(?<=^|[;\\t\\r\\n])${guard}(?=${formula})`, "g");

const [unguarded, guarded] = [startsOf(""), startsOf("'")];

/** Puts an apostrophe before each part of a cell that a spreadsheet could take for a formula. */
export const guardFormulas = (cell: string): string => cell.replaceAll(unguarded, "'");

/** Takes off the apostrophes that `guardFormulas` puts into a cell. */
export const withoutGuards = (cell: string): string => cell.replaceAll(guarded, "");
