/**
 * The joiners that scripts such as Persian or Hindi write between two letters. They are invisible, so that anywhere
 * else, and before a Latin letter, they only make two equal names look different.
 */
const joiners = /(?<=[\p{L}\p{M}])[\u200c\u200d](?!\p{Script=Latin})(?=\p{L})/gu;
/** Control and format characters, line breaks and what no alphabet has. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;
/** The blank pattern of Braille is invisible too, though Unicode does not say so. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** `name.tld` with two letters or more on either side: mail programs turn it into a link. Initials (J.Smith) are none. */
const siteAddress =
  /:\/\/|(?<![\p{L}\p{N}])www\.|(?<=[\p{L}\p{N}-]{2})[.\u3002]\p{L}{2}|[.\u3002]\p{L}{2,}\//iu;

/** Whether nothing of a text can be seen, such as spaces and format characters alone. */
export const isInvisible = (text: string): boolean => text.replace(invisible, "") === "";

/** Returns what is wrong with a line of text, whatever it is about, or null. */
export function lineProblem(text: string, label: string): string | null {
  return unprintable.test(text.replace(joiners, ""))
    ? `${label} contains characters that can't be used. Please type it again.`
    : null;
}

/**
 * Returns what is wrong with the name of a person, a company or a place, or null. Such names stand in emails to others,
 * and the address of a site would become a link there.
 */
export function nameProblem(text: string, label: string): string | null {
  const problem = lineProblem(text, label);
  if (problem) return problem;
  return siteAddress.test(text.normalize("NFKC"))
    ? `${label} looks like a web address. If it isn't one, please put a space after each full stop.`
    : null;
}
