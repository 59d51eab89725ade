/** Returns the name of a subject in lower case, without accents and punctuation. */
export const plainSubject = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]+/gu, " ")
    .trim();

/** Whether two names are of the same subject. */
export const isSameSubject = (one: string, other: string): boolean =>
  plainSubject(one) === plainSubject(other);

/** Words that don't identify a subject: small ones, and the levels of the International Baccalaureate. */
const commonWords: ReadonlySet<string> = new Set(["and", "of", "the", "in", "for", "with", "hl", "sl"]);

/** Returns the first four letters of each word, without single letters such as the A of Physics A. */
const wordStarts = (text: string): string[] =>
  plainSubject(text)
    .split(" ")
    .filter((word) => word.length >= 2 && !commonWords.has(word))
    .map((word) => word.slice(0, 4));

/** Whether one start of a word may be short for the other or its singular, such as Art and Arts, or Bio and Biology. */
const begins = (short: string, long: string): boolean => short.length >= 3 && long.startsWith(short);

/** Whether two subjects may be the same under different names, such as Maths and Mathematics, or Art and Fine Art. */
export function areAlike(one: string, other: string): boolean {
  const others = wordStarts(other);
  return wordStarts(one).some((word) =>
    others.some((each) => each === word || begins(each, word) || begins(word, each)),
  );
}
