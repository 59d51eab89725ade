import { programmePath } from "#protocol/addresses.ts";

/** The address of the form for an application to a programme. */
export const applyPath = (slug: string, intakeId: string | null): string =>
  `/application?${new URLSearchParams({ programme: slug, ...(intakeId && { intake: intakeId }) }).toString()}`;

/** The address of a programme from its card: with what is compared, and the start that the list is filtered by. */
export function cardPath(slug: string, compare: string | null, start: string | null): string {
  const query = new URLSearchParams({ ...(compare && { compare }), ...(start && { start }) }).toString();
  return programmePath(slug) + (query && `?${query}`);
}

/** The address of a comparison. */
export const comparePath = (slugs: readonly string[]): string =>
  `/compare?${new URLSearchParams(slugs.map((slug) => ["p", slug])).toString()}`;

/** The address of the list, from which more programmes are added to a comparison. */
export const choosePath = (slugs: readonly string[]): string =>
  slugs.length === 0 ? "/programmes" : `/programmes?compare=${slugs.join(",")}`;

/** The address at which students enter their qualifications and tests. */
export const recordPath = "/student-profile#record";
