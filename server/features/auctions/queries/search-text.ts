import { beginning, containing } from "#server/platform/like.ts";

type Put = (value: unknown) => string;

/** The parts of a search: a name has to contain each of them, in whatever order. */
export const partsOf = (search: string): string[] => [...new Set(search.split(/\s+/).filter(Boolean))];

/** One or two letters or digits are looked for at the beginning of words: elsewhere nearly every name has them. */
const isShort = (part: string): boolean => /^[\p{L}\p{N}]{1,2}$/u.test(part);

/** The condition that a name has the part in it, whatever its letter case. */
export function isNamed(part: string, put: Put): string {
  const likes = isShort(part) ? [beginning(part), containing(` ${part}`)] : [containing(part)];
  return `(${likes.map((pattern) => `folded_name like lower(${put(pattern)})`).join(" or ")})`;
}

/** The same of a word: a name has a part in it, which has no space, if and only if one of its words has. */
export const isWord = (part: string, put: Put): string =>
  `word like lower(${put(isShort(part) ? beginning(part) : containing(part))})`;
