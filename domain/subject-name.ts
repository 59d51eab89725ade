/** Writes the name of a subject without its letter case, accents and punctuation. */
export const plainSubject = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+]+/gu, " ")
    .trim();

/** Whether two names are those of one subject. */
export const isSameSubject = (one: string, other: string): boolean =>
  plainSubject(one) === plainSubject(other);

const wordStarts = (text: string): string[] =>
  plainSubject(text)
    .split(" ")
    .filter((word) => word.length >= 4)
    .map((word) => word.slice(0, 4));

/** Whether two subjects may be the same under different names, such as Maths and Mathematics. */
export const areAlike = (one: string, other: string): boolean =>
  wordStarts(one).some((word) => wordStarts(other).includes(word));
