/**
 * The joiners that scripts such as Persian or Hindi write between two letters. They are invisible: anywhere else, and
 * before a Latin letter, they only make names differ that look the same.
 */
const joiners = /(?<=[\p{L}\p{M}])[\u200c\u200d](?!\p{Script=Latin})(?=\p{L})/gu;
/** Control, format, private and unassigned characters, and line breaks. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
/** The blank pattern of Braille is invisible too, though Unicode does not say so. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** `name.tld` with two or more letters on either side, which mail programs turn into a link; not initials (J.Smith). */
const siteAddress =
  /:\/\/|(?<![\p{L}\p{N}])www\.|(?<=[\p{L}\p{N}-]{2})[.\u3002]\p{L}{2}|[.\u3002]\p{L}{2,}\//iu;

/** Whether a text is invisible, such as one of only spaces and format characters. */
export const isInvisible = (text: string): boolean => text.replace(invisible, "") === "";

/** Returns what is wrong with a line of text, or null. */
export function lineProblem(text: string, label: string): string | null {
  return unprintable.test(text.replace(joiners, ""))
    ? `${label} contains characters that can't be used. Please type it again.`
    : null;
}

/**
 * Returns what is wrong with the name of a person, a company or a place, or null. Such names appear in emails to
 * others, where a web address would become a link.
 */
export function nameProblem(text: string, label: string): string | null {
  const problem = lineProblem(text, label);
  if (problem) return problem;
  return siteAddress.test(text.normalize("NFKC"))
    ? `${label} looks like a web address. If it isn't one, please put a space after each full stop.`
    : null;
}
