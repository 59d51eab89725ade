/** Signs that people type for an apostrophe. `plain_name` in the migrations has the same. */
const apostrophes = /['`´‘’‛ʹʻʼˈ′＇]/g;

/** Removes the signs that are often left out: "O'Brien" and "obrien" read alike. */
export const withoutApostrophes = (text: string): string => text.replaceAll(apostrophes, "");

/** Parts of a search that count, the longest ones. */
const mostParts = 5;

/** Splits a search into the parts that a name or an address must have, in any order. */
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

/** Fewest digits of a telephone number that are worth a search. */
const fewestDigits = 4;

/**
 * Returns the digits of a search that could be a telephone number, without the zeros that people put before it at home
 * or abroad; null for any other text.
 */
export function phoneDigits(search: string): string | null {
  if (!/^[\d\s()+./-]+$/.test(search)) return null;
  const digits = search.replaceAll(/\D/g, "").replace(/^0+/, "");
  return digits.length < fewestDigits ? null : digits;
}
