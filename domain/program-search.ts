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

/** Whether a text is an http or https address with {query} after its host, so that no input leads to another site. */
export function isSearchTemplate(template: string): boolean {
  if (!template.includes(query) || !URL.canParse(template)) return false;
  const { protocol, origin, username, password } = new URL(template);
  return ["http:", "https:"].includes(protocol) && !`${origin}${username}${password}`.match(/[{}]|%7b/i);
}

/** Returns the address of the external search for a course title in one location, or with "" anywhere. */
export const programSearchUrl = (template: string, title: string, place: string): string =>
  template
    .replaceAll(query, () => encodeURIComponent(title.trim().toWellFormed()))
    .replaceAll(location, () => encodeURIComponent(place));
