import { programmePath } from "#protocol/addresses.ts";

/** Returns the address of the form for an application to a programme. */
export const applyPath = (slug: string, intakeId: string | null): string =>
  `/application?${new URLSearchParams({ programme: slug, ...(intakeId && { intake: intakeId }) }).toString()}`;

/** Returns the address of a programme from a card or a comparison, with the compared programmes and their start. */
export function cardPath(slug: string, compare: string | null, start: string | null): string {
  const query = new URLSearchParams({ ...(compare && { compare }), ...(start && { start }) }).toString();
  return programmePath(slug) + (query && `?${query}`);
}

/** Returns the address of a comparison; `start` is a month as YYYY-MM, or null for each programme's next start. */
export function comparePath(slugs: readonly string[], start: string | null): string {
  const query = new URLSearchParams(slugs.map((slug) => ["p", slug]));
  if (start) query.set("start", start);
  return `/compare?${query.toString()}`;
}

/** Returns the address of the list, from which more programmes are added to a comparison. */
export const choosePath = (slugs: readonly string[], start: string | null): string =>
  `/programmes?${new URLSearchParams({ compare: slugs.join(","), ...(start && { intake: start }) }).toString()}`;

/** The address at which students enter their qualifications and tests. */
export const recordPath = "/student-profile#record";
