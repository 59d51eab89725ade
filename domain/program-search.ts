/** The six locations of the course search, in its order. */
export const searchLocations = [
  "Canada",
  "United States",
  "United Kingdom",
  "Germany",
  "Ireland",
  "Australia",
] as const;
export type SearchLocation = (typeof searchLocations)[number];

/** Longest course title, in characters. */
export const courseTitleLimit = 120;

const query = "{query}";
const location = "{location}";

/** An http or https address with {query} behind its host, where nothing typed can lead to another site. */
export function isSearchTemplate(template: string): boolean {
  if (!template.includes(query) || !URL.canParse(template)) return false;
  const { protocol, origin, username, password } = new URL(template);
  return ["http:", "https:"].includes(protocol) && !`${origin}${username}${password}`.match(/[{}]|%7b/i);
}

/** The address of the external search for a course title, perhaps in one location; "" is anywhere. */
export const programSearchUrl = (template: string, title: string, place: string): string =>
  template
    .replaceAll(query, () => encodeURIComponent(title.trim().toWellFormed()))
    .replaceAll(location, () => encodeURIComponent(place));
