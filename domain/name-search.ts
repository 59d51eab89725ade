/** Characters that people type for an apostrophe. `plain_name` in the migrations has the same. */
const apostrophes = /['`´‘’‛ʹʻʼˈ′＇]/g;

/** Removes apostrophes, which are often left out, so that "O'Brien" and "OBrien" match. */
export const withoutApostrophes = (text: string): string => text.replaceAll(apostrophes, "");

/** Most parts of a search that are used: the longest ones. */
const mostParts = 5;

/** Splits a search into the parts that a name or an address must contain, in any order. */
export const nameParts = (search: string): string[] =>
  [
    ...new Set(
      withoutApostrophes(search.normalize("NFC"))
        .split(/[\s\p{Pd}]+/u)
        .filter(Boolean),
    ),
  ]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, mostParts);

/** Fewest digits that are searched for as a telephone number. */
const fewestDigits = 4;

/**
 * Returns the digits of a search that could be a telephone number, without the leading zeros of national and
 * international calls, or null for any other text.
 */
export function phoneDigits(search: string): string | null {
  if (!/^[\d\s()+./-]+$/.test(search)) return null;
  const digits = search.replaceAll(/\D/g, "").replace(/^0+/, "");
  return digits.length < fewestDigits ? null : digits;
}
