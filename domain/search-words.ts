/** Most words of a search that are used, since each one costs the database time. */
export const mostSearchWords = 10;

/**
 * Returns the words of a search as the index of auctions has them (`search_text` in its migration): without
 * punctuation, and with letters and digits separated, so that "iphone13" and "iPhone 13" are the same.
 */
export function searchWords(text: string): string[] {
  const words = text
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .replaceAll(/(\p{N})([^\p{N} ])/gu, "$1 $2")
    .replaceAll(/([^\p{N} ])(\p{N})/gu, "$1 $2")
    .split(" ")
    .filter((word) => word !== "");
  return [...new Set(words)].slice(0, mostSearchWords);
}
